// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'block' takes three sizes from 1 to 4294967295, found \[256, 0, 1\] \[machine-launch-sizes\]

machine.program @p() block [256, 0, 1] {
  machine.exit
}
