// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: indices are i32 or i64, found f32 \[hologram-gather-index\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.gather %a, %a {axis = 0 : i64} : tensor<4xf32>
  func.return
}
