// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'ub.poison' is a memref<4xf32>, which would be any
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = ub.poison : memref<4xf32>
  %e = memref.load %m[%c0] : memref<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
