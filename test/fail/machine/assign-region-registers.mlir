// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :6:3: error: a region of 'atlas\.map' needs more registers than a lane has \[assign-region-registers\]

func.func @p(%x: memref<4xi4096>) {
  atlas.map ins(%x : memref<4xi4096>) outs(%x : memref<4xi4096>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: i4096):
    %v0 = atlas.add i4096 %e, %e
    %v1 = atlas.add i4096 %v0, %e
    %v2 = atlas.add i4096 %v1, %e
    %v3 = atlas.add i4096 %v2, %e
    %v4 = atlas.add i4096 %v3, %e
    %v5 = atlas.add i4096 %v4, %e
    %w0 = atlas.add i4096 %v5, %v0
    %w1 = atlas.add i4096 %w0, %v1
    %w2 = atlas.add i4096 %w1, %v2
    %w3 = atlas.add i4096 %w2, %v3
    %w4 = atlas.add i4096 %w3, %v4
    %r = atlas.add i4096 %w4, %e
    atlas.yield %r : i4096
  }
  func.return
}
