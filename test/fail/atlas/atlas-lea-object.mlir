// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: there is no pointer into a memref<4xf32, strided<\[2\]>> \[atlas-lea-object\]

atlas.program @p(%m: memref<4xf32, strided<[2]>>) {
  %p = atlas.lea f32 %m[] : memref<4xf32, strided<[2]>>
}
