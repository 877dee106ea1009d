// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the body's arguments differ from the program's type \[atlas-program-arguments\]

"atlas.program"() <{sym_name = "p", function_type = (i32) -> ()}> ({
  atlas.exit
}) : () -> ()
