// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.lds' reaches shared memory, found memref<4xf32> \[atlas-access-space\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = atlas.lds f32 %m[%i : i64] : memref<4xf32>
}
