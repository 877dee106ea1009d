// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.extract_aligned_pointer_as_index' can't be guarded: it makes a number of an address
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = "memref.extract_aligned_pointer_as_index"(%x) : (memref<?xf32>) -> index
  func.return
}
