// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce' has finish_ins but no finish region \[atlas-finish-missing\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>, %k: f32) {
  atlas.reduce [add f32] ins(%m : memref<4xf32>) finish_ins(%k : f32) outs(%s : memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
