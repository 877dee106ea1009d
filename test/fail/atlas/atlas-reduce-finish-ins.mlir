// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the map \(d0\) -> \(d0\) of a finish_in uses a reduced dimension \[atlas-reduce-finish-ins\]

func.func @f(%m: memref<4xf32>, %s: memref<f32>) {
  atlas.reduce [add f32] ins(%m : memref<4xf32>) finish_ins(%m : memref<4xf32>) outs(%s : memref<f32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: f32):
    atlas.yield %x : f32
  } finish {
  ^bb0(%sum: f32, %y: f32):
    atlas.yield %y : f32
  }
  func.return
}
