// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: 6:3: error: @p: 'atlas\.ldg': index \(4\) is out of range for an array of shape \(4\) in lane \(4, 0, 0\) of block \(0, 0, 0\)
atlas.program @p(%x: memref<?xf32>) block [8, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
}
func.func @f(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) args(%x : memref<?xf32>)
  func.return
}
