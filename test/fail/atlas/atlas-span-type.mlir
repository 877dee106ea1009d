// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.reduce.add.span' is not defined for bool.* \[atlas-span-type\]

atlas.program @p(%x: memref<?xi1>, %n: i64) {
  %s = atlas.reduce.add.span bool %x[%n : i64] : memref<?xi1>, %n
}
