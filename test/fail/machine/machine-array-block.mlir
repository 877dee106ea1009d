// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: arrays are declared in the first block \[machine-array-block\]

machine.program @p() {
  machine.fall ^bb1
^bb1:
  machine.array local f32[4]
  machine.exit
}
