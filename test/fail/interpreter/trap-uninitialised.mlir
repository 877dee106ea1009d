// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: @p: 'atlas\.lds': element \(0\) of the array is read before it is written in lane \(0, 0, 0\)
atlas.program @p(%x: memref<?xf32>) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %s = atlas.alloca : memref<8xf32, #atlas.space<shared>>
  %v = atlas.lds f32 %s[%i : i64] : memref<8xf32, #atlas.space<shared>>
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
