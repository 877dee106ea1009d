// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vector.store to memref<4x16xf32> needs 2 indices
func.func @f(%m: memref<4x16xf32>, %v: vector<16xf32>, %i: index) {
  vector.store %v, %m[%i] : memref<4x16xf32>, vector<16xf32>
  func.return
}
