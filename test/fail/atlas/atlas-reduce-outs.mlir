// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the map \(d0\) -> \(d0\) of an out of 'atlas\.reduce' is no permutation of.* \[atlas-reduce-outs\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  atlas.reduce [add f32, max f32] ins(%m : memref<4xf32>) outs(%s, %m : memref<f32>, memref<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x, %x : f32, f32
  }
  func.return
}
