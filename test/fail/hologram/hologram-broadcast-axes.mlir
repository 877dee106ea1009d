// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: axes \[1, 0\] must place the 2 axes of the operand in ascending order.* \[hologram-broadcast-axes\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.broadcast %d {axes = [1 : i64, 0 : i64]} : tensor<2x3xf32> to tensor<3x2xf32>
  func.return
}
