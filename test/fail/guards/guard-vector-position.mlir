// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'vector.extract' is at position 7 of a vector<4xf32>
// ERROR: hint: .*name one that it has

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %e = vector.extract %v[7] : f32 from vector<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
