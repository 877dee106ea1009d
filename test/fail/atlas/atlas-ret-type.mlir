// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: @f gives \(i32\), but returns \(f32\).* \[atlas-ret-type\]

atlas.func @f(%x: f32) -> (i32) {
  atlas.ret %x : f32
}
