// RUN: hologram-opt %s -p sink-projections{bits=24}
// EXIT: 2
// ERROR: option 'bits' of sink-projections is 8, 16, 32, .*, 4096, not 24

func.func private @f()
