// RUN: hologram-compile %s -o x.holo --target ' '
// EXIT: 2
// ERROR: --target names no target
// ERROR: hint: there are cpu, wasm, cuda
func.func @main(%x: memref<?xf32>) { return }
