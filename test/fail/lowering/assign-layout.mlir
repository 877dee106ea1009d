// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :5:1: error: machine code has no arrays of the layout of memref<\?xi32, strided<\[2\]>> \[assign-layout\]

atlas.program @p(%x: memref<?xi32, strided<[2]>>) {
}
