// RUN: hologram-opt %s
// EXIT: 1
// ERROR: either all members of a struct have offsets, or none
func.func private @f(!spirv.struct<(f32 [0], f32)>)
