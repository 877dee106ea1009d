// RUN: hologram-opt %s
// EXIT: 1
// ERROR: out 0 of 'atlas\.argmin' is i32 or i64, found i16 \[atlas-extension-index\]

func.func @f(%x: memref<4x3xf32>, %y: memref<4x5xf32>, %i: memref<4xi64>, %h: memref<4xi16>, %e: memref<4x0xf32>, %b: memref<4x3xi1>, %v: memref<3xi64>) {
  atlas.argmin ins(%x : memref<4x3xf32>) outs(%h : memref<4xi16>) {axis = 1, type = #atlas.dtype<f32>}
  func.return
}
