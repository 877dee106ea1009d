// RUN: hologram-opt %s
// EXIT: 1
// ERROR: of integers takes integers for alpha and beta, found alpha = 0\.5 \[atlas-batched-scale\]

func.func @f(%x: memref<2x4x4xi32>, %q: memref<4x4xi8>, %r: memref<4x4xi32>, %f: memref<4x4xf32>, %g: memref<4xf32>) {
  atlas.batched_gemm ins(%x, %x : memref<2x4x4xi32>, memref<2x4x4xi32>) outs(%x : memref<2x4x4xi32>) {alpha = 0.5 : f64}
  func.return
}
