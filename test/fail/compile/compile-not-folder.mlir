// RUN: hologram-compile %s --emit ir,llvm -o %S/Inputs/empty/helpers.py
// EXIT: 2
// ERROR: 2 files are written, and '.*helpers.py' is no folder
func.func @main(%x: memref<?xf32>) { return }
