// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' gives 2 values, found 1 \[atlas-vector-values\]

atlas.program @p(%m: memref<4xf32>) {
  %i = atlas.special gid : i64
  %v = "atlas.ldg"(%m, %i) <{type = #atlas.dtype<f32>, vector = "v2"}> : (memref<4xf32>, i64) -> f32
}
