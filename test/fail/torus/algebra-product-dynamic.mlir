// RUN: hologram-opt %s -p convert-algebra-to-torus
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.product' over an axis of dynamic size can't be compiled \[algebra-product-dynamic\]

func.func @f(%a: tensor<?x!torus.coord>) -> tensor<!torus.coord> {
  %c = algebra.product %a {axes = [0 : i64]} : tensor<?x!torus.coord> to tensor<!torus.coord>
  func.return %c : tensor<!torus.coord>
}
