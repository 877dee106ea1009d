// RUN: hologram-compile %s -o x.so --constants w.safetensors
// EXIT: 2
// ERROR: only archives hold constants
func.func @main(%x: memref<?xf32>) { return }
