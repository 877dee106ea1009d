// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:33: error: there are no indices of 'f32' \[atlas-iota-type\]

func.func @f() {
  %i = atlas.iota : !atlas.iota<f32>
  func.return
}
