// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: must be a string
llvm.func @f() attributes {hologram.entry = 1 : i32}
