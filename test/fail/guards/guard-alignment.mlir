// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.alloc' asks for an alignment of 8192
// ERROR: hint: .*give a power of two up to 4096

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {alignment = 8192 : i64} : memref<4xf32>
  %v = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}
