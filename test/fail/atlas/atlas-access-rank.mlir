// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' has 2 indices for memref<4xf32> \[atlas-access-rank\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %m[%i, %i : i64, i64] : memref<4xf32>
}
