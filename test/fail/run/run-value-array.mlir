// RUN: hologram-run %s --arg '[[1,2],[3]]:f32'
// EXIT: 2
// ERROR: '\[\[1,2\],\[3\]\]:f32' is no array

func.func @main(%x: memref<?xf32>) {
  return
}
