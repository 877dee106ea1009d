// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.lea' takes one byte offset, or none \[atlas-lea-offset\]

atlas.program @p(%m: memref<4x4xf32>) {
  %i = atlas.special gid : i64
  %p = atlas.lea f32 %m[%i, %i : i64, i64] : memref<4x4xf32>
}
