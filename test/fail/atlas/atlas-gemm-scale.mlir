// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.gemm' of integers takes integers for alpha and beta, found beta = 0\.5 \[atlas-gemm-scale\]

func.func @f(%a: memref<2x2xi32>) {
  atlas.gemm ins(%a, %a, %a : memref<2x2xi32>, memref<2x2xi32>, memref<2x2xi32>) outs(%a : memref<2x2xi32>)
    {alpha = 2.0 : f64, beta = 0.5 : f64}
  func.return
}
