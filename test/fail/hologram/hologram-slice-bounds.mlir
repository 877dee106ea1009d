// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the slice reaches from 2 to 4 along axis 0 of size 4 \[hologram-slice-bounds\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.slice %a {starts = [2 : i64], strides = [2 : i64]} : tensor<4xf32> to tensor<2xf32>
  func.return
}
