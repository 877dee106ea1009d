// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.cast' has a value of type memref<\*xf32>, of any rank
// ERROR: hint: take a memref with as many dynamic sizes

func.func @main(%x: memref<?xf32>) {
  %u = "memref.cast"(%x) : (memref<?xf32>) -> memref<*xf32>
  func.return
}
