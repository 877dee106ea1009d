// RUN: hologram-run %s --arg 'f64[3]=iota'
// EXIT: 2
// ERROR: argument 'x: f32\[\?\]' can't be f64\[3\] \[run-argument\]
// ERROR: hint: --arg 'f32\[3\]=iota' is such an array

func.func @main(%x: memref<?xf32>) {
  return
}
