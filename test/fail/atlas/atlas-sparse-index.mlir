// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.sparse_gemm' has indices and starts of one type, found i32 and i64 \[atlas-sparse-index\]

func.func @f(%v: memref<3xf32>, %i: memref<3xi32>, %s: memref<3xi64>, %b: memref<2x2xf32>) {
  atlas.sparse_gemm ins(%v, %i, %s, %b : memref<3xf32>, memref<3xi32>, memref<3xi64>, memref<2x2xf32>) outs(%b : memref<2x2xf32>)
  func.return
}
