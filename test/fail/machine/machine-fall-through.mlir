// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'machine\.fall' falls through to a block that is not the next one \[machine-fall-through\]

machine.program @p() {
  machine.fall ^bb2
^bb1:
  machine.exit
^bb2:
  machine.exit
}
