// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: the program 'p' returns; it ends in 'exit' \[machine-program-ret\]

machine.program @p() {
  machine.ret
}
