// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vector.load from memref<4x16xf32> needs 2 indices
func.func @f(%m: memref<4x16xf32>, %v: vector<16xf32>, %i: index) {
  %w = vector.load %m[%i] : memref<4x16xf32>, vector<16xf32>
  func.return
}
