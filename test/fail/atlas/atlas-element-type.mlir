// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.copy' works on one element type, found f32 and f64 \[atlas-element-type\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf64>)
  func.return
}
