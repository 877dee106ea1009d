// RUN: hologram-opt %s
// EXIT: 1
// ERROR: an alignment is a power of two of type i64, not 48
func.func @f(%m: memref<16xf32>, %v: vector<16xf32>, %i: index) {
  vector.store %v, %m[%i] {alignment = 48 : i64} : memref<16xf32>, vector<16xf32>
  func.return
}
