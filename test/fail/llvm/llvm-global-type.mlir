// RUN: hologram-opt %s
// EXIT: 1
// ERROR: needs a type
llvm.mlir.global @g()
