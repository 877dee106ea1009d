// RUN: hologram-opt %s --dump-stages-to %s/stages
// EXIT: 2
// ERROR: the folder '.*stages' can't be made: '.*folder-unmade\.mlir' is a file, not a folder \[folder-unmade\]
// ERROR: hint: name another
func.func @main(%x: memref<?xf32>) { return }
