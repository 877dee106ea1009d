// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce' needs at least one kind, and a type for each \[atlas-reduce-kinds\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  "atlas.reduce"(%m, %s) <{
    kinds = [#atlas.kind<add>], types = [], operandSegmentSizes = array<i32: 1, 0, 1>,
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
  }> ({
  ^bb0(%x: f32):
    atlas.yield %x : f32
  }, {}) : (memref<4xf32>, memref<f32>) -> ()
  func.return
}
