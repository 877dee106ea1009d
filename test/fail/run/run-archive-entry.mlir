// RUN: hologram-run %S/Inputs/two.holo --arg f32[4]=ones
// EXIT: 2
// ERROR: two.holo' has 2 kernels
// ERROR: choose one with --entry: halve, double
