// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.dealloc' frees a memref<\?xf32> that is not proven to be memory which this function made
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.dealloc %x : memref<?xf32>
  func.return
}
