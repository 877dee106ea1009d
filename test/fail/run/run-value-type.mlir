// RUN: hologram-run %s --arg 'float[3]=iota'
// EXIT: 2
// ERROR: there is no element type 'float'
// ERROR: hint: 

func.func @main(%x: memref<?xf32>) {
  return
}
