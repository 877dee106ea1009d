// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.nbr\.load' of f32 is of f32, found f64 \[atlas-neighbour-type\]

atlas.program @p(%p: !atlas.ptr<f32, class>, %i: i32) {
  %v = "atlas.nbr.load"(%p, %i) <{type = #atlas.dtype<f32>}> : (!atlas.ptr<f32, class>, i32) -> f64
}
