// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.matmul' is not defined for elements of i1 \[hologram-matmul-type\]

func.func @f(%p: tensor<2x2xi1>) {
  %r = hologram.matmul %p, %p : tensor<2x2xi1>
  func.return
}
