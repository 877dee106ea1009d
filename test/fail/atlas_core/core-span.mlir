// RUN: hologram-opt %s -p convert-atlas-to-core
// EXIT: 1
// ERROR: :6:3: error: there is no function for 'atlas.reduce.add.span' of f32 .core-span.

atlas.program @p(%x: memref<?xf32>, %n: i64) {
  %s = atlas.reduce.add.span f32 %x[%n : i64] : memref<?xf32>, %n
}
