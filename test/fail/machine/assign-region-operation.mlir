// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :9:5: error: there is no scalar instruction for 'arith\.addf' in a region \[assign-region-operation\]

func.func @p(%x: memref<4xf32>) {
  atlas.map ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32):
    %r = arith.addf %e, %e : f32
    atlas.yield %r : f32
  }
  func.return
}
