// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.gemm' multiplies one element type, found f16 and f32 \[atlas-gemm-elements\]

func.func @f(%a: memref<2x2xf32>, %v: memref<3xf32>, %h: memref<2x2xf16>) {
  atlas.gemm ins(%a, %h : memref<2x2xf32>, memref<2x2xf16>) outs(%a : memref<2x2xf32>)
  func.return
}
