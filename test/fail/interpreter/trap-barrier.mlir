// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: @p: 'atlas\.bar\.sync': not all lanes .* reached in lane \(0, 0, 0\) .* but not in lane \(1, 0, 0\)
atlas.program @p(%x: memref<?xf32>) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %one = atlas.mov_imm 1 : i64
  %p = atlas.setcc lt i64 %i, %one
  atlas.if %p {
    atlas.bar.sync 0
  }
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
