// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :9:3: error: @f takes \(i32\) and gives \(i32\), found a call with \(f32\) for \(i32\).* \[atlas-call-type\]

atlas.func @f(%x: i32) -> (i32) {
  atlas.ret %x : i32
}
atlas.program @p(%x: f32) {
  %r = atlas.call @f(%x) : (f32) -> (i32)
}
