// RUN: hologram-run %s --arg many
// EXIT: 2
// ERROR: 'many' is no value
// ERROR: hint: a value is

func.func @main(%x: memref<?xf32>) {
  return
}
