// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: arg_attrs has one dictionary.* \[atlas-func-attributes\]

"atlas.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [{}, {}]}> ({
^bb0(%x: i32):
  "atlas.ret"() : () -> ()
}) : () -> ()
