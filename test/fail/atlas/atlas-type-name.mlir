// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:18: error: expected an instruction type such as f32 or u64, found 'f33' \[atlas-type-name\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = atlas.add f33 %x, %y
  func.return
}
