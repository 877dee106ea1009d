// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: shared arrays are declared by programs, not by functions \[machine-function-shared\]

machine.func @f() {
  machine.array shared f32[4]
  machine.ret
}
