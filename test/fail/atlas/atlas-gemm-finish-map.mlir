// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the map \(d0, d1\) -> \(d1\) does not take the indices of an out of shape \(2, 2\) to those of a finish_in of shape \(3\) \[atlas-gemm-finish-map\]

func.func @f(%a: memref<2x2xf32>, %v: memref<3xf32>, %h: memref<2x2xf16>) {
  atlas.gemm ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) finish_ins(%v : memref<3xf32>) outs(%a : memref<2x2xf32>)
    maps [affine_map<(d0, d1) -> (d1)>] finish {
  ^bb0(%x: f32, %y: f32):
    atlas.yield %y : f32
  }
  func.return
}
