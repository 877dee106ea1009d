// RUN: hologram-run %S
// EXIT: 1
// ERROR: run' is a folder, not a program \[source-folder\]
// ERROR: hint: name a file in it
func.func @main(%x: memref<?xf32>) { return }
