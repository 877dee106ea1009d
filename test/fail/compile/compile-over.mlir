// RUN: hologram-compile %s --emit ir -o %s
// EXIT: 2
// ERROR: '.*compile-over.mlir' would be written over '.*compile-over.mlir'
// ERROR: hint: name another place
func.func @main(%x: memref<?xf32>) { return }
