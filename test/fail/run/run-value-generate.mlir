// RUN: hologram-run %s --arg 'f32[3x]=iota'
// EXIT: 2
// ERROR: 'f32\[3x\]=iota' can't be made

func.func @main(%x: memref<?xf32>) {
  return
}
