// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.cvt.satfinite' gives floats, not i32 \[atlas-cvt-satfinite\]

func.func @f(%x: f32) -> i32 {
  %r = atlas.cvt.satfinite f32 to i32 %x
  func.return %r : i32
}
