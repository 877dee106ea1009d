// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.exp' is not defined for i32 \[atlas-instruction-type\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = atlas.exp i32 %i
  func.return
}
