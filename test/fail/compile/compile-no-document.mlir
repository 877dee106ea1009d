// RUN: hologram-compile %s --emit json -o x.json
// ERROR: '.*compile-no-document.mlir' holds no kernel that could be a JSON document
func.func @main(%x: memref<?xf32>) { return }
