// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce\.add' of f32 works on f32, found f64 \[atlas-window-values\]

atlas.program @p(%a: f64) {
  %s = "atlas.reduce.add"(%a) <{type = #atlas.dtype<f32>}> : (f64) -> f32
}
