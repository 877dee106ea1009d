// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:26: error: expected dense<\.\.\.> with a tensor type \[hologram-constant\]

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>, %c: tensor<5xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>, %d: tensor<2x3xf32>, %n: index) {
  %r = hologram.constant 4 : i32
  func.return
}
