// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.add' needs shape \(4\), found \(5\) \[hologram-shape\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.add %a, %c : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  func.return
}
