// RUN: hologram-compile %s -o x.holo --types f32,f46
// EXIT: 2
// ERROR: --types knows no 'f46'
// ERROR: hint: did you mean 'f64'
func.func @main(%x: memref<?xf32>) { return }
