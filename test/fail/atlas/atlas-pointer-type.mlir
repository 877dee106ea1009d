// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas\.ldg' of i32 needs a pointer to i32, found !atlas\.ptr<f32, global> \[atlas-pointer-type\]

atlas.program @p(%m: memref<4xf32>) {
  %p = atlas.lea f32 %m[] : memref<4xf32>
  %v = atlas.ldg i32 %p[] : !atlas.ptr<f32, global>
}
