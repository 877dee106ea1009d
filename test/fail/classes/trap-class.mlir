// RUN: hologram-run %s --device interpreter --arg 'f32[4]=ones'
// EXIT: 1
// ERROR: :6:3: error: @p: 'atlas\.mirror': class out of range in lane \(0, 0, 0\) of block \(0, 0, 0\); c = 96
atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {
  %c = atlas.mov_imm 96 : i32
  %m = atlas.mirror u32 %c
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
