// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.softmax' needs floats, found i32 \[hologram-softmax-type\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.softmax %i {axis = 0 : i64} : tensor<4xi32>
  func.return
}
