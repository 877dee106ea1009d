// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.concat' needs at least one tensor \[hologram-concat-empty\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = "hologram.concat"() <{axis = 0 : i64}> : () -> tensor<0xf32>
  func.return
}
