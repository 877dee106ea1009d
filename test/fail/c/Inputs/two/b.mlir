func.func @main(%x: memref<?xf32>) { return }
