// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a function of lanes gives scalars back.* \[atlas-func-memref\]

atlas.func @f(%m: memref<4xf32>) -> (memref<4xf32>) {
  atlas.ret %m : memref<4xf32>
}
