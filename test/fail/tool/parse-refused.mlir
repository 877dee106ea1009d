// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-refused.mlir:6:3: error: this can't be read: Format not implemented for i128

func.func @f() {
  %c = arith.constant dense<(1, 2)> : tensor<2xcomplex<i128>>
  func.return
}
