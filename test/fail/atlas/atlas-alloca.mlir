// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.alloca' declares shared or local memory of constant size, found.* \[atlas-alloca\]

atlas.program @p(%m: memref<4xf32>) {
  %s = atlas.alloca : memref<?xf32, #atlas.space<local>>
}
