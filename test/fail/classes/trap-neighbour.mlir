// RUN: hologram-run %s --device interpreter --arg 'f32[4]=ones'
// EXIT: 1
// ERROR: @p: 'atlas\.nbr\.load': neighbour's number at or past the degree in lane .*; class = 0, i = 5
atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {
  %c = atlas.mov_imm 0 : i32
  %i = atlas.mov_imm 5 : i32
  %p = atlas.bound.map f32 %c, %c, %c
  %v = atlas.nbr.load f32 %p[] : !atlas.ptr<f32, class>, %i
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
