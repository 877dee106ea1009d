// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a pool has one constant size, found f32\[\?\] \[machine-pool-shape\]

machine.pool f32[?]
