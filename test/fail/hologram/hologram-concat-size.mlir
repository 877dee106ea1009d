// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the parts have size 9 along axis 0, the result 8 \[hologram-concat-size\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.concat %a, %c {axis = 0 : i64} : (tensor<4xf32>, tensor<5xf32>) -> tensor<8xf32>
  func.return
}
