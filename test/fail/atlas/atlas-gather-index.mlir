// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: indices are i32 or i64, found f32 \[atlas-gather-index\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.gather ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>) {axis = 0 : i64}
  func.return
}
