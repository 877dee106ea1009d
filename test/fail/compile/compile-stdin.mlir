// RUN: hologram-compile - %s -o x.holo
// EXIT: 2
// ERROR: standard input is compiled alone
func.func @main(%x: memref<?xf32>) { return }
