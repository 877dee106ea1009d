// RUN: hologram-compile %s -o x.holo
// ERROR: '.*compile-no-entry.mlir' has no entry
// ERROR: hint: make a function public
func.func private @main(%x: memref<?xf32>) { return }
