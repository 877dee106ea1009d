// RUN: hologram-run %S/Inputs/two.holo --entry halve --arg f32[4]=ones --opt-level 1
// EXIT: 2
// ERROR: two.holo' was compiled before
