// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' of 2 values needs a memref of the default layout, .* \[atlas-vector-place\]

atlas.program @p(%m: memref<4xf32, strided<[2]>>) {
  %i = atlas.special gid : i64
  %v, %w = atlas.ldg v2 f32 %m[%i : i64] : memref<4xf32, strided<[2]>>
}
