// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the body of 'atlas.repeat' takes the carried values.* \[atlas-repeat-arguments\]

atlas.program @p(%x: i32) {
  atlas.repeat iter(%x : i32) {
  ^bb0(%y: f32):
    %p = atlas.mov_imm false
    atlas.yield %p, %x : i1, i32
  }
}
