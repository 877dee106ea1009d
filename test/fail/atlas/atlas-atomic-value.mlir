// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.atom\.add' of u32 takes and gives values of i32 \[atlas-atomic-value\]

atlas.program @p(%m: memref<4xi32>, %v: i64) {
  %i = atlas.special gid : i64
  %n = "atlas.atom.add"(%v, %m, %i) <{type = #atlas.dtype<u32>}> : (i64, memref<4xi32>, i64) -> i32
}
