// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: the block takes \(i32\), the branch gives \(f32\).* \[atlas-bra-arguments\]

atlas.program @p(%x: f32) {
  atlas.bra ^a(%x : f32)
^a(%y: i32):
}
