// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'axis' of 'machine\.softmax' holds i64, found 1 : i32 \[machine-array-integer\]

machine.arrays @p(f32[4, 4]) {
  machine.softmax outs(buf0) ins(buf0) {axis = 1 : i32}
}
