// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.fill' of index can't make tensor<2xf32> \[hologram-fill-type\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.fill %n : index to tensor<2xf32>
  func.return
}
