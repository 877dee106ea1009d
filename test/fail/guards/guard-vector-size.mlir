// RUN: hologram-run %s
// EXIT: 1
// ERROR: of more bytes than 4096, which the stack may not hold
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<?xf32>, vector<4096xf32>
  vector.store %v, %x[%c0] : memref<?xf32>, vector<4096xf32>
  func.return
}
