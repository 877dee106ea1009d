// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: '%gid' is no special register of type i32 \[atlas-special\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i32
}
