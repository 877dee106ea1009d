// RUN: hologram-opt %s
// EXIT: 1
// ERROR: has no use for a_scale with an out of i32 \[atlas-quantized-scales\]

func.func @f(%x: memref<2x4x4xi32>, %q: memref<4x4xi8>, %r: memref<4x4xi32>, %f: memref<4x4xf32>, %g: memref<4xf32>) {
  atlas.quantized_gemm ins(%q, %q : memref<4x4xi8>, memref<4x4xi8>) outs(%r : memref<4x4xi32>) {type = #atlas.dtype<i8>, a_scale = 0.5 : f64}
  func.return
}
