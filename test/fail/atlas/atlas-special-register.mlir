// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:22: error: there is no special register 'lane\.w' \[atlas-special-register\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special lane.w : i32
}
