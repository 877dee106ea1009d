// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'machine\.bra' has one successor, and a second, the next block, under a predicate \[machine-bra-successors\]

machine.program @p() {
  machine.bra ^bb1, ^bb1
^bb1:
  machine.exit
}
