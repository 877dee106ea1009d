// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'two words' can't be a name in assembly \[machine-name\]

machine.program @p() {
  machine.label "two words"
  machine.exit
}
