// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:22: error: expected a number with a type such as '1\.5 : f32', found "one" \[atlas-constant\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = atlas.mov_imm "one"
  func.return
}
