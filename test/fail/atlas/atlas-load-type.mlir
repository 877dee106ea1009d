// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' of f32 gives f32, not f64 \[atlas-load-type\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = "atlas.ldg"(%m, %i) <{type = #atlas.dtype<f32>}> : (memref<4xf32>, i64) -> f64
}
