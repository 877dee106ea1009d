// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.matmul' can't multiply shapes \(4, 5\) and \(4, 5\) \[algebra-matmul-shapes\]

func.func @f(%a: tensor<4x5x!torus.coord>) {
  %c = algebra.matmul %a, %a : tensor<4x5x!torus.coord>
  func.return
}
