// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' has no form "v3" \[atlas-vector\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = "atlas.ldg"(%m, %i) <{type = #atlas.dtype<f32>, vector = "v3"}> : (memref<4xf32>, i64) -> f32
}
