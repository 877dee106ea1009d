// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.load' uses %m, which may have been freed before
// ERROR: hint: .*free it behind its last use

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %e = memref.load %m[%c0] : memref<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
