// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.gemm' is not defined for memref<2x2xi1> \[atlas-gemm-type\]

func.func @f(%p: memref<2x2xi1>) {
  atlas.gemm ins(%p, %p : memref<2x2xi1>, memref<2x2xi1>) outs(%p : memref<2x2xi1>)
  func.return
}
