// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.parallel_map' under f64 does not fit memref<4xf32> \[atlas-named-type\]

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>, %c: memref<5xf32>, %i: memref<4xi32>, %s: memref<f32>, %d: memref<2x3xf32>) {
  atlas.parallel_map abs f64 ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  func.return
}
