// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.map' takes tensors, or memrefs, in outs; one at least \[atlas-array-outs\]

func.func @f(%m: memref<4xf32>, %t: tensor<4xf32>) {
  atlas.map ins(%m : memref<4xf32>) outs(%t, %m : tensor<4xf32>, memref<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x, %x : f32, f32
  }
  func.return
}
