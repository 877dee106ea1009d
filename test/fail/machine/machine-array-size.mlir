// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: an array has sizes of at least 1, found f32\[0\] \[machine-array-size\]

machine.program @p() {
  machine.array local f32[0]
  machine.exit
}
