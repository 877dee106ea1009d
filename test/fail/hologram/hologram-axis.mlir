// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: axis 1 of 'hologram\.softmax' is out of range for rank 1 \[hologram-axis\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.softmax %a {axis = 1 : i64} : tensor<4xf32>
  func.return
}
