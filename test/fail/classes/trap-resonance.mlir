// RUN: hologram-run %s --device interpreter --arg 'f32[4]=ones'
// EXIT: 1
// ERROR: @p: 'atlas\.res\.accum': a value that R can't hold in lane \(0, 0, 0\) of block \(0, 0, 0\): nan
atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {
  %c = atlas.mov_imm 0 : i32
  %v = atlas.mov_imm 0x7fc00000 : f32
  atlas.res.accum f32 %c, %v
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
