// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: the body of 'atlas\.loop' takes the iteration number, then the carried.* \[atlas-loop-arguments\]

atlas.program @p(%m: memref<4xf32>) {
  %n = atlas.mov_imm 3 : i32
  atlas.loop %n : i32 {
    atlas.yield
  }
}
