// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 6 elements do not fill a shape of 7 \[hologram-reshape-count\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.reshape %d : tensor<2x3xf32> to tensor<7xf32>
  func.return
}
