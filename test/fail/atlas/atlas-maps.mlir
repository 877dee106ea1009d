// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:67: error: expected affine maps, such as affine_map<\(d0\) -> \(d0\)> \[atlas-maps\]

func.func @f(%m: memref<4xf32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) maps [4 : i64] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
