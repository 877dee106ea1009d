// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: axes \[1\] of 'algebra\.product' must be ascending axes of rank 1 \[algebra-axes\]

func.func @f(%a: tensor<4x!torus.coord>) {
  %c = algebra.product %a {axes = [1 : i64]} : tensor<4x!torus.coord> to tensor<4x!torus.coord>
  func.return
}
