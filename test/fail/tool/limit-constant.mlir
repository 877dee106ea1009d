// RUN: hologram-opt %s
// ERROR: limit-constant\.mlir:5:\d+: error: with this tensor<1000000000xf32>, the constants have 4000000000 bytes
// ERROR: HOLOGRAM_MAX_CONSTANT_BYTES=67108864
func.func @f() -> tensor<1000000000xf32> {
  %c = hologram.constant dense<1.0> : tensor<1000000000xf32>
  func.return %c : tensor<1000000000xf32>
}
