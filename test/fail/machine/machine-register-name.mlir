// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:35: error: expected a register such as r5, found 'x3' \[machine-register-name\]

machine.program @p() {
  %p = machine.get : !machine.reg<x3>
  machine.exit
}
