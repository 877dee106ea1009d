// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :6:3: error: a region of 'atlas\.map' reads a value from outside \[assign-region-capture\]

func.func @p(%x: memref<4xf32>, %k: f32) {
  atlas.map ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32):
    %r = atlas.add f32 %e, %k
    atlas.yield %r : f32
  }
  func.return
}
