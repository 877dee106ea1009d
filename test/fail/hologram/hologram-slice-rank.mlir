// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.slice' needs a start, a stride and a size for each of the 2.* \[hologram-slice-rank\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.slice %d {starts = [0 : i64], strides = [1 : i64]} : tensor<2x3xf32> to tensor<1x3xf32>
  func.return
}
