// RUN: hologram-compile %s -o x.holo --target cpu,webgpu
// ERROR: '.*compile-no-kernel.mlir' has nothing that a device runs, so there is no code for 'webgpu'
func.func @main(%x: memref<?xf32>) { return }
