// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:17: error: expected a reduction kind, found 'sum' \[atlas-kind\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  atlas.reduce [sum f32] ins(%m : memref<4xf32>) outs(%s : memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
