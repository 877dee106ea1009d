// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.add' takes f32 for operand 'b' under type f32, found i32 \[atlas-operand-type\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = "atlas.add"(%x, %i) <{type = #atlas.dtype<f32>}> : (f32, i32) -> f32
  func.return
}
