// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: \[0, 2\] is no permutation of the 2 axes \[hologram-permutation\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.transpose %d {permutation = [0 : i64, 2 : i64]} : tensor<2x3xf32> to tensor<3x2xf32>
  func.return
}
