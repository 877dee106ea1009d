// RUN: hologram-opt %s
// EXIT: 1
// ERROR: dense-integer-bits.mlir:6:39: error: dense constants have integers of up to 64 bits, found i128 \[dense-integer-bits\]

func.func @f() -> tensor<2xi128> {
  %r = arith.constant dense<[1, 2]> : tensor<2xi128>
  func.return %r : tensor<2xi128>
}
