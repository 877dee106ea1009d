// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :5:1: error: a function in machine code takes scalars and pointers, no memref.* \[assign-function-memref\]

atlas.func @f(%x: memref<?xi32>) {
  atlas.ret
}
