// RUN: hologram-compile %s -o x.holo --target 'cpu(wasm)'
// EXIT: 2
// ERROR: 'cpu\(wasm\)' is no target
func.func @main(%x: memref<?xf32>) { return }
