// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.stg' of f32 stores f32, found i64 \[atlas-store-type\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  "atlas.stg"(%i, %m, %i) <{type = #atlas.dtype<f32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i64, memref<4xf32>, i64) -> ()
}
