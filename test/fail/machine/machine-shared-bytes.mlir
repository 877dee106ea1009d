// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'p' gives shared bytes but no shared array without a length \[machine-shared-bytes\]

machine.program @p() shared 512 {
  machine.exit
}
