// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas.reduce.add.span' needs elements that lie one after another.* \[atlas-span-place\]

atlas.program @p(%x: memref<?xf32, strided<[2]>>, %n: i64) {
  %s = atlas.reduce.add.span f32 %x[%n : i64] : memref<?xf32, strided<[2]>>, %n
}
