// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: @p: 'atlas\.div': integer division by zero in lane \(0, 0, 0\) of block \(0, 0, 0\); a = 0, b = 0
atlas.program @p(%x: memref<?xf32>) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.div i64 %i, %i
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
