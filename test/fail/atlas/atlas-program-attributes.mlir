// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: arg_attrs has one dictionary for each argument \[atlas-program-attributes\]

"atlas.program"() <{sym_name = "p", function_type = (i32) -> (), arg_attrs = []}> ({
^bb0(%n: i32):
  atlas.exit
}) : () -> ()
