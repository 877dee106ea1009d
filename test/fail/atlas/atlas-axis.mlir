// RUN: hologram-opt %s
// EXIT: 1
// ERROR: axis 2 of 'atlas\.scan' is out of range for rank 2 \[atlas-axis\]

func.func @f(%x: memref<4x3xf32>, %y: memref<4x5xf32>, %i: memref<4xi64>, %h: memref<4xi16>, %e: memref<4x0xf32>, %b: memref<4x3xi1>, %v: memref<3xi64>) {
  atlas.scan ins(%x : memref<4x3xf32>) outs(%x : memref<4x3xf32>) {axis = 2, kind = #atlas.kind<add>, type = #atlas.dtype<f32>}
  func.return
}
