// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.loop' gives \(i32\), the carried values \[atlas-loop-results\]

atlas.program @p(%m: memref<4xf32>) {
  %n = atlas.mov_imm 3 : i32
  %r = "atlas.loop"(%n, %n) ({
  ^bb0(%i: i32, %x: i32):
    atlas.yield %x : i32
  }) : (i32, i32) -> f32
}
