// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:20: error: expected a condition, found 'less' \[atlas-condition\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = atlas.setcc less f32 %x, %y
  func.return
}
