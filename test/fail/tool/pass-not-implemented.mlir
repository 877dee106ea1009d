// RUN: hologram-opt %s -p convert-ml-program-to-memref
// EXIT: 1
// ERROR: pass-not-implemented.mlir:5:1: error: pass 'convert-ml-program-to-memref': Converting ml_program.global with no value

ml_program.global private mutable @x : tensor<4xf32>
