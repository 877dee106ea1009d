// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the map \(d0\) -> \(\) of an out of 'atlas\.map' is no permutation of all.* \[atlas-map-permutation\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%s : memref<f32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
