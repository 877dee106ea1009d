// RUN: hologram-compile %s --emit ir,ptxx -o out/
// EXIT: 2
// ERROR: --emit knows no 'ptxx'
// ERROR: hint: did you mean 'ptx'
func.func @main(%x: memref<?xf32>) { return }
