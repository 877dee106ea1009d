// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vector<16xf32> can't be loaded from memref<16xi32>: elements differ
func.func @f(%m: memref<16xi32>, %v: vector<16xf32>, %i: index) {
  %w = vector.load %m[%i] : memref<16xi32>, vector<16xf32>
  func.return
}
