// RUN: hologram-opt %s
// EXIT: 1
// ERROR: operand 1 of a map of 'affine.for' can't be used as a symbol \[affine-index\]

#map = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @f() {
  affine.for %i = 0 to 7 {
    affine.for %j = #map(%i)[%i] to 7 {
    }
  }
  func.return
}
