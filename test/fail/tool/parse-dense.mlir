// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:23: error: this literal has 3 elements, and its type 4 \[parse-dense\]
// ERROR: \^{16}$
func.func @f() {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<4xi32>
  func.return
}
