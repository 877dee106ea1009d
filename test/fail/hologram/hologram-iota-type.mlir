// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.iota' has no elements of i1 \[hologram-iota-type\]

func.func @f() {
  %i = hologram.iota {axis = 0 : i64} : tensor<2xi1>
  func.return
}
