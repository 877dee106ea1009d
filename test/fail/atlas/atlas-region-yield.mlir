// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: a region of 'atlas\.if' must yield \(i1\) \[atlas-region-yield\]

atlas.program @p(%m: memref<4xf32>) {
  %p = atlas.mov_imm true
  %r = atlas.if %p -> (i1) {
    atlas.yield
  } else {
    atlas.yield %p : i1
  }
}
