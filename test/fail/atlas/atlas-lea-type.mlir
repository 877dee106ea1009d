// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.lea' of f32 gives !atlas\.ptr<f32, global>, not !atlas\.ptr<f32, shared> \[atlas-lea-type\]

atlas.program @p(%m: memref<4xf32>) {
  %p = "atlas.lea"(%m) <{type = #atlas.dtype<f32>}> : (memref<4xf32>) -> !atlas.ptr<f32, shared>
}
