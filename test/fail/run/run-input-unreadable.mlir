// RUN: hologram-run %s --arg %S/Inputs/folder.npy
// EXIT: 1
// ERROR: folder\.npy' can't be read: Is a directory \[run-input-unreadable\]
// ERROR: hint: numpy.save writes such a file

func.func @main(%x: memref<?xf32>) {
  return
}
