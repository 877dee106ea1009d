// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.compare' compares equal element types into i1, found.* \[hologram-compare-type\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.compare lt %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  func.return
}
