// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.atom\.add' is not defined for u8: no device has atomics of 8, 16 or more than 64 bits \[atlas-atomic-type\]

atlas.program @p(%m: memref<4xi8>, %v: i8) {
  %i = atlas.special gid : i64
  %n = atlas.atom.add u8 %v, %m[%i : i64] : memref<4xi8>
}
