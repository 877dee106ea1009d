// RUN: hologram-run %s --input %S/Inputs/broken.npy
// EXIT: 1
// ERROR: broken.npy' is no array file

func.func @main(%x: memref<?xf32>) {
  return
}
