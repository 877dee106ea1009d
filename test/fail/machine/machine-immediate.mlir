// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'id' of 'machine\.bar\.sync' is a number from 0 up, found -1 : i64 \[machine-immediate\]

machine.program @p() {
  machine.bar.sync -1
  machine.exit
}
