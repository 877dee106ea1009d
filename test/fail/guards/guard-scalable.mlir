// RUN: hologram-run %s
// EXIT: 1
// ERROR: :8:3: error: 'arith.constant' has a value of type vector<\[4\]xf32>, whose length no check knows
// ERROR: hint: take a vector of a fixed length

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<[4]xf32>
  vector.store %v, %x[%c0] : memref<?xf32>, vector<[4]xf32>
  func.return
}
