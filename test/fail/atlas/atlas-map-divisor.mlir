// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: indexing map 0 of 'atlas\.map' divides by what is no positive constant \[atlas-map-divisor\]

func.func @f(%m: memref<4xf32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) maps [affine_map<(d0) -> (d0 mod -2)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
