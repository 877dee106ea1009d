// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: size 4 can't broadcast to size 8 along axis 1 \[hologram-broadcast-size\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.broadcast %a : tensor<4xf32> to tensor<2x8xf32>
  func.return
}
