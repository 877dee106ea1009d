// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'global' is not shared or local memory \[machine-array-space\]

machine.program @p() {
  machine.array global f32[4]
  machine.exit
}
