// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: a region of 'atlas\.if' is one block without arguments \[atlas-if-region\]

atlas.program @p(%m: memref<4xf32>) {
  %p = atlas.mov_imm true
  atlas.if %p {
  } else {
  ^bb0(%i: i32):
    atlas.yield
  }
}
