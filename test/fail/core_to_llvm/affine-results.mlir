// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a map of 'affine.max' has a result at least \[affine-results\]

func.func @f() {
  %0 = affine.max affine_map<() -> ()> ()
  func.return
}
