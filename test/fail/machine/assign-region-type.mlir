// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :6:3: error: a function of machine code holds no index \[assign-region-type\]

func.func @p(%x: memref<4xf32>) {
  atlas.map ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32):
    %i = arith.constant 1 : index
    %r = atlas.neg f32 %e
    atlas.yield %r : f32
  }
  func.return
}
