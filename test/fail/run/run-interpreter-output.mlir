// RUN: hologram-run %s --device interpreter --arg 'f32[3]=ones'
// EXIT: 1
// ERROR: the output 'r' of shape '\(x\[0\] - 9,\)' can't be made: a size is below 0

func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(x[0] - 9,)"}) {
  return
}
