// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.softmax' needs floats, found memref<4xi32> \[atlas-softmax-type\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.softmax ins(%i : memref<4xi32>) outs(%i : memref<4xi32>) {axis = 0 : i64}
  func.return
}
