// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: an unsigned comparison needs integers, found f32 \[hologram-compare-unsigned\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.compare ltu %a, %a : tensor<4xf32>
  func.return
}
