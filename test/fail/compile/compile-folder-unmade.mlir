// RUN: hologram-compile %s --emit ir -o %s/
// EXIT: 2
// ERROR: the folder '.*' can't be made: 
func.func @main(%x: memref<?xf32>) { return }
