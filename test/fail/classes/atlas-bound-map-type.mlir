// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'atlas\.bound\.map' of f32 gives !atlas\.ptr<f32, class>, not !atlas\.ptr<f32, global> \[atlas-bound-map-type\]

atlas.program @p(%c: i32) {
  %v = "atlas.bound.map"(%c, %c, %c) <{type = #atlas.dtype<f32>}> : (i32, i32, i32) -> !atlas.ptr<f32, global>
}
