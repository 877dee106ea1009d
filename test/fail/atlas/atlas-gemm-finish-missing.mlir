// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.gemm' has finish_ins but no finish region \[atlas-gemm-finish-missing\]

func.func @f(%a: memref<2x2xf32>, %v: memref<3xf32>, %h: memref<2x2xf16>) {
  atlas.gemm ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) finish_ins(%a : memref<2x2xf32>) outs(%a : memref<2x2xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>]
  func.return
}
