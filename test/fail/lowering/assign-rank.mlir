// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :6:3: error: 'atlas.ldg' has several indices, machine code a byte offset.* \[assign-rank\]

atlas.program @p(%x: memref<4x4xi32>, %i: i64) {
  %v = atlas.ldg i32 %x[%i, %i : i64, i64] : memref<4x4xi32>
}
