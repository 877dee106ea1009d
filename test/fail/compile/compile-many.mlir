// RUN: hologram-compile %s --emit ir,llvm
// EXIT: 2
// ERROR: 2 files are written
// ERROR: hint: name a folder
func.func @main(%x: memref<?xf32>) { return }
