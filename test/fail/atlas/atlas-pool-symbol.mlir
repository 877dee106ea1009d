// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: there is no atlas.pool @rink.* \[atlas-pool-symbol\]

atlas.pool @ring : memref<8xf32, #atlas.space<pool>>
atlas.program @p() {
  atlas.pool.free @rink
}
