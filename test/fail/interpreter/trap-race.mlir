// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: @p: 'atlas\.stg': data race on element \(0\) in lane \(0, 0, 0\) of block \(0, 0, 0\): it is written at once by lane \(7, 0, 0\)
atlas.program @p(%x: memref<?xf32>) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1.0 : f32
  atlas.stg f32 %one, %x[%zero : i64] : memref<?xf32>
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
