// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.exp' is not defined for elements of i32 \[hologram-elementwise-type\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.exp %i : tensor<4xi32>
  func.return
}
