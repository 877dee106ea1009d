// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'trans_a' of 'machine\.gemm' is 1 or absent \[machine-array-flag\]

machine.arrays @p(f32[4, 4]) {
  machine.gemm outs(buf0) ins(buf0, buf0) {trans_a = 2 : i64}
}
