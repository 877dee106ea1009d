// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.reduce\.add' combines 1 to 256 values, found 0 \[atlas-window-size\]

atlas.program @p() {
  %s = "atlas.reduce.add"() <{type = #atlas.dtype<f32>}> : () -> f32
}
