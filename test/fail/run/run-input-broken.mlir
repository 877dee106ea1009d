// RUN: hologram-run %s --input %S/Inputs/broken.npy
// EXIT: 1
// ERROR: is no file of an array

func.func @main(%x: memref<?xf32>) {
  return
}
