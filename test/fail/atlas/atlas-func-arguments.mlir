// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the body's arguments differ.* \[atlas-func-arguments\]

"atlas.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
  "atlas.ret"() : () -> ()
}) : () -> ()
