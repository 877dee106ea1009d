// RUN: hologram-compile %s -o x.holo
// ERROR: '.*compile-no-entry.mlir' has no entry
// ERROR: hint: a function that is public and returns nothing, or tensors
func.func private @main(%x: memref<?xf32>) { return }
