// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the axes \[1, 0\] must ascend \[hologram-reduce-axes\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.reduce sum %d {axes = [1 : i64, 0 : i64]} : tensor<2x3xf32> to tensor<f32>
  func.return
}
