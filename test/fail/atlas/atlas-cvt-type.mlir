// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.cvt' from f32 to i32 takes f32 and gives i32, found f32 and i64 \[atlas-cvt-type\]

func.func @f(%x: f32, %y: f32, %i: i32, %p: i1) {
  %r = "atlas.cvt"(%x) <{source_type = #atlas.dtype<f32>, type = #atlas.dtype<i32>}> : (f32) -> i64
  func.return
}
