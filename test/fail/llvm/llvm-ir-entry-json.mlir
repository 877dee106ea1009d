// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: does not hold JSON
llvm.func @f() attributes {hologram.entry = "{"}
