// RUN: hologram-opt %s
// EXIT: 1
// ERROR: in 0 of 'atlas\.layer_norm' holds one of bf16 f16 f32 f64 f8E4M3FN f8E5M2, found memref<4x6xi32> \[atlas-extension-type\]

func.func @f(%x: memref<4x6xf32>, %i: memref<4x6xi32>, %w: memref<6xf32>) {
  atlas.layer_norm ins(%i, %w, %w : memref<4x6xi32>, memref<6xf32>, memref<6xf32>) outs(%i : memref<4x6xi32>) {eps = 1.0e-5 : f64}
  func.return
}
