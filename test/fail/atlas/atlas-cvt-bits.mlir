// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.cvt\.bits' keeps the width: f32 has 32 bits, i64 64 \[atlas-cvt-bits\]

atlas.program @p(%a: f32) {
  %s = atlas.cvt.bits f32 to i64 %a
}
