// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'machine\.special' has no place in the array-level program 'p' \[machine-arrays-operation\]

machine.arrays @p(f32[4]) {
  %a = machine.special u64 gid : () -> (!machine.reg<r0>)
}
