// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.add' gives f32 under type f32, found i32 \[atlas-result-type\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = "atlas.add"(%x, %y) <{type = #atlas.dtype<f32>}> : (f32, f32) -> i32
  func.return
}
