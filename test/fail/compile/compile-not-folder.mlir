// RUN: hologram-compile %s --emit ir,llvm -o %s
// EXIT: 2
// ERROR: 2 files are written, and '.*compile-not-folder.mlir' is no folder
func.func @main(%x: memref<?xf32>) { return }
