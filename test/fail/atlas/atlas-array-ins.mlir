// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.map' works on tensors or on memrefs, found both:.* \[atlas-array-ins\]

func.func @f(%m: memref<4xf32>, %t: tensor<4xf32>) {
  %r = atlas.map ins(%m : memref<4xf32>) outs(%t : tensor<4xf32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }
  func.return
}
