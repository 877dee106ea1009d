// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :9:5: error: a lane exits where a value of type memref<4xf32> is due.* \[core-exit-memref\]

atlas.program @p(%c: i1, %a: memref<4xf32>) block [8, 1, 1] {
  %m = atlas.if %c -> (memref<4xf32>) {
    atlas.yield %a : memref<4xf32>
  } else {
    atlas.exit
  }
  %i = atlas.mov_imm 0 : i64
  %v = atlas.ldg f32 %m[%i : i64] : memref<4xf32>
}
