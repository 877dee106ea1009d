// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'p' has two labels 'a' \[machine-label-twice\]

machine.program @p() {
  machine.label "a"
  machine.fall ^bb1
^bb1:
  machine.label "a"
  machine.exit
}
