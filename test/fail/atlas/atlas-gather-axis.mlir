// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: axis 1 is out of range for a source of rank 1 \[atlas-gather-axis\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.gather ins(%a, %i : memref<4xf32>, memref<4xi32>) outs(%a : memref<4xf32>) {axis = 1 : i64}
  func.return
}
