// RUN: hologram-run %s --arg f32[3]=iota --output %s
// EXIT: 2
// ERROR: would be written over the program \[run-output-over\]
// ERROR: hint: name another file
func.func @main(%x: memref<?xf32>) { return }
