// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'atlas.pool.free' is for lanes.* \[atlas-pool-place\]

atlas.pool @ring : memref<8xf32, #atlas.space<pool>>
func.func @f() {
  atlas.pool.free @ring
  func.return
}
