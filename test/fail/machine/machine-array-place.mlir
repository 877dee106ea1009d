// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: arrays are declared at the start of a program or function \[machine-array-place\]

machine.program @p() {
  machine.bar.sync 0
  machine.array local f32[4]
  machine.exit
}
