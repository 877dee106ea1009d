// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a pool has a type of the ISA and constant sizes.* \[atlas-pool-type\]

atlas.pool @ring : memref<?xf32, #atlas.space<pool>>
