// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :8:3: error: 'atlas\.ldg' takes one byte offset from a pointer, or none \[atlas-pointer-offset\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %p = atlas.lea f32 %m[] : memref<4xf32>
  %v = atlas.ldg f32 %p[%i, %i : i64, i64] : !atlas.ptr<f32, global>
}
