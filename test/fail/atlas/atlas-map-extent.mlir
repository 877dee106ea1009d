// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: no operand of 'atlas\.reduce' is indexed by d0 alone, so the loop has.* \[atlas-map-extent\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  atlas.reduce [add f32] ins(%m : memref<4xf32>) outs(%s : memref<f32>)
    maps [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
