// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'vector.shuffle' leaves elements undefined
// ERROR: hint: .*take an element for each

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %e = vector.shuffle %v, %v [0, -1, 2, 3] : vector<4xf32>, vector<4xf32>
  vector.store %e, %x[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
