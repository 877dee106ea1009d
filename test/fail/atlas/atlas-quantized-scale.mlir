// RUN: hologram-opt %s
// EXIT: 1
// ERROR: divides by c_scale, which is 0 \[atlas-quantized-scale\]

func.func @f(%x: memref<2x4x4xi32>, %q: memref<4x4xi8>, %r: memref<4x4xi32>, %f: memref<4x4xf32>, %g: memref<4xf32>) {
  atlas.quantized_gemm ins(%q, %q : memref<4x4xi8>, memref<4x4xi8>) outs(%q : memref<4x4xi8>) {type = #atlas.dtype<i8>, c_scale = 0.0 : f64}
  func.return
}
