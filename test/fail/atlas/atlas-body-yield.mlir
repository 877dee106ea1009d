// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the body of 'atlas\.map' must end by yielding \(f32\) \[atlas-body-yield\]

func.func @f(%m: memref<4xf32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield
  }
  func.return
}
