// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.fill' takes a scalar, found memref<4xf32> \[atlas-named-ins\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.fill ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  func.return
}
