// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.parallel_map' knows no 'exp' for i32 \[atlas-parallel-type\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.parallel_map exp i32 ins(%i : memref<4xi32>) outs(%i : memref<4xi32>)
  func.return
}
