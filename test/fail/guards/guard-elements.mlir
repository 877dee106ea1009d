// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.alloc' makes memory of vector<4xf32>, which can't be filled with zeros
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xvector<4xf32>>
  %v = memref.load %m[%c0] : memref<4xvector<4xf32>>
  vector.store %v, %x[%c0] : memref<?xf32>, vector<4xf32>
  memref.dealloc %m : memref<4xvector<4xf32>>
  func.return
}
