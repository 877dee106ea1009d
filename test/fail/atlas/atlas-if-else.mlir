// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: an 'atlas\.if' with results needs an else region \[atlas-if-else\]

atlas.program @p(%m: memref<4xf32>) {
  %p = atlas.mov_imm true
  %r = atlas.if %p -> (i1) {
    atlas.yield %p : i1
  }
}
