// RUN: hologram-run %s --device interpreter --arg 'f32[4]=ones'
// EXIT: 1
// ERROR: @p: 'atlas\.bound\.map': place out of class memory in lane .*; %c = 1, %page = 48, %c = 1
atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {
  %c = atlas.mov_imm 1 : i32
  %page = atlas.mov_imm 48 : i32
  %p = atlas.bound.map f32 %c, %page, %c
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
