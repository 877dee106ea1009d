// RUN: hologram-compile %s -o x.holo --target cpu,vulcan
// EXIT: 2
// ERROR: --target:1:5: error: there is no target 'vulcan'
// ERROR: hint: did you mean 'vulkan'
func.func @main(%x: memref<?xf32>) { return }
