// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'atlas\.alloca' declares static shared or local memory, found.* \[atlas-alloca\]

atlas.program @p(%m: memref<4xf32>) {
  %s = atlas.alloca : memref<?xf32, #atlas.space<shared>>
}
