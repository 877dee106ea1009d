// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a branch passes scalars and pointers.* \[atlas-bra-memref\]

atlas.program @p(%x: memref<4xf32>) {
  atlas.bra ^a(%x : memref<4xf32>)
^a(%y: memref<4xf32>):
}
