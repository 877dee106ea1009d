// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'func.func' has a value of type memref<\?x!llvm.ptr>, which holds raw pointers
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?x!llvm.ptr>) {
  func.return
}
