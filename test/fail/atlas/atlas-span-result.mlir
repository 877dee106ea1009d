// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.reduce.add.span' of f32 gives f32, not f64.* \[atlas-span-result\]

atlas.program @p(%x: memref<?xf32>, %n: i64) {
  %s = "atlas.reduce.add.span"(%x, %n, %n) <{type = #atlas.dtype<f32>}> : (memref<?xf32>, i64, i64) -> f64
}
