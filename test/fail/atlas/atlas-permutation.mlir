// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: \[0, 0\] is no permutation of the 2 axes \[atlas-permutation\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.transpose ins(%d : memref<2x3xf32>) outs(%d : memref<2x3xf32>) {permutation = [0 : i64, 0 : i64]}
  func.return
}
