// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a reduction by add is not defined for bool \[atlas-reduce-kind-type\]

func.func @f(%m: memref<4xi1>, %s: memref<i1>) {
  atlas.reduce [add bool] ins(%m : memref<4xi1>) outs(%s : memref<i1>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: i1):
    atlas.yield %x : i1
  }
  func.return
}
