// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'func.call' of @again leads back to @again
// ERROR: hint: .*--unsafe-memory

func.func private @again(%i: index) -> index {
  %r = func.call @again(%i) : (index) -> index
  %s = arith.addi %r, %i : index
  func.return %s : index
}

func.func @main(%x: memref<?xf32>) {
  %i = arith.constant 1 : index
  %r = func.call @again(%i) : (index) -> index
  func.return
}
