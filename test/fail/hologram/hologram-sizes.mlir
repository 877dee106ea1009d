// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.broadcast' has 0 sizes for a result with 1 dynamic ones \[hologram-sizes\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.broadcast %a {axes = [1 : i64]} : tensor<4xf32> to tensor<?x4xf32>
  func.return
}
