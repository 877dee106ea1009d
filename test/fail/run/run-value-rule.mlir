// RUN: hologram-run %s --arg 'f32[3]=one'
// EXIT: 2
// ERROR: there is no rule 'one' to fill an array
// ERROR: did you mean 'ones'

func.func @main(%x: memref<?xf32>) {
  return
}
