// RUN: hologram-compile %s -o x.holo
// ERROR: compile-no-array.mlir:4:1: error: '.*' has no entry: @main gives f32, and what a launch gives is in arrays
// ERROR: hint: give tensors, or store to an argument
func.func @main(%x: f32) -> f32 { return %x : f32 }
