// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.sum' gives shape \(5\), not \(4\) \[algebra-shape\]

func.func @f(%a: tensor<4x5x!torus.coord>) {
  %c = algebra.sum %a {axes = [0 : i64]} : tensor<4x5x!torus.coord> to tensor<4x!torus.coord>
  func.return
}
