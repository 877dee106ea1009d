// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: an array of local memory has one size, found f32\[\?\] \[machine-array-shape\]

machine.program @p() {
  machine.array local f32[?]
  machine.exit
}
