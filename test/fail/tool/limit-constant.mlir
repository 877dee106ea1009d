// RUN: hologram-opt %s -p verify
// ERROR: limit-constant\.mlir:5:1: error: with this tensor<1000000000xf32>, the constants have 4000000000 bytes
// ERROR: HOLOGRAM_MAX_CONSTANT_BYTES=67108864

"memref.global"() <{sym_name = "g", type = memref<1000000000xf32>, initial_value = dense<1.0> : tensor<1000000000xf32>,
    sym_visibility = "private", constant}> : () -> ()
