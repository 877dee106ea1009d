// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.gemm' has 1 finish_ins and 2 maps \[atlas-gemm-finish-maps\]

func.func @f(%a: memref<2x2xf32>, %v: memref<3xf32>, %h: memref<2x2xf16>) {
  atlas.gemm ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) finish_ins(%a : memref<2x2xf32>) outs(%a : memref<2x2xf32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] finish {
  ^bb0(%x: f32, %y: f32):
    atlas.yield %y : f32
  }
  func.return
}
