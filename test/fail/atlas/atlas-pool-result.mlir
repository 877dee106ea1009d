// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: the pool @ring is a memref<8xf32.* \[atlas-pool-result\]

atlas.pool @ring : memref<8xf32, #atlas.space<pool>>
atlas.program @p() {
  %p = atlas.pool.alloc @ring : memref<9xf32, #atlas.space<pool>>
}
