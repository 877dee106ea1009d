// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the regions of 'affine.if' have no arguments \[affine-if\]

func.func @f(%n: index) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
  ^bb0(%x: i32):
    affine.yield
  }
  func.return
}
