// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: indexing map 1 of 'atlas\.map' has other dimensions than the first, or.* \[atlas-map-dims\]

func.func @f(%m: memref<4xf32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
