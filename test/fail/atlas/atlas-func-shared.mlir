// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a function can't declare shared memory.* \[atlas-func-shared\]

atlas.func @f() {
  %s = atlas.alloca : memref<4xf32, #atlas.space<shared>>
  atlas.ret
}
