// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the out of 'atlas\.copy' must have shape \(4\), found \(5\) \[atlas-out-shape\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.copy ins(%a : memref<4xf32>) outs(%c : memref<5xf32>)
  func.return
}
