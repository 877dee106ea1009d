// RUN: hologram-compile %s -o x.holo --target 'webgpu{binding=8}'
// EXIT: 2
// ERROR: 'webgpu' has no option 'binding'
// ERROR: hint: did you mean 'bindings'
func.func @main(%x: memref<?xf32>) { return }
