// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'ltu' compares integers as unsigned; f32 is no integer type \[atlas-unsigned-condition\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = atlas.setcc ltu f32 %x, %y
  func.return
}
