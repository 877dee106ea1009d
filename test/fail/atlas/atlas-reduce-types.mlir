// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce' combines \(f32\) but stores \(f16\) \[atlas-reduce-types\]

func.func @f(%m: memref<4xf32>, %s: memref<f16>) {
  atlas.reduce [add f32] ins(%m : memref<4xf32>) outs(%s : memref<f16>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
