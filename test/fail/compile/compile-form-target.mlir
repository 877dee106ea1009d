// RUN: hologram-compile %s --target sm_90,webgpu -o x.so
// EXIT: 2
// ERROR: the form 'shared' is code for cpu, and --target names sm_90, webgpu
// ERROR: hint: add cpu to the targets, or write another form
func.func @main(%x: memref<?xf32>) { return }
