// RUN: hologram-run %s --input nowhere.npy
// EXIT: 1
// ERROR: there is no file 'nowhere.npy'

func.func @main(%x: memref<?xf32>) {
  return
}
