// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'p' has more than one shared array without a length \[machine-shared-open\]

machine.program @p() {
  machine.array shared f32[?]
  machine.array shared f32[?]
  machine.exit
}
