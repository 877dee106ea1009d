// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: a label stands at the start of its block \[machine-label-place\]

machine.program @p() {
  machine.bar.sync 0
  machine.label "late"
  machine.exit
}
