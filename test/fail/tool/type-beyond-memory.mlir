// RUN: hologram-opt %s
// ERROR: type-beyond-memory\.mlir:3:\d+: error: tensor<2147483648x2147483648xf32> has 4611686018427387904 elements
func.func @f(%x: tensor<2147483648x2147483648xf32>) {
  func.return
}
