// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'machine\.get' reads a register, found !machine\.reg \[machine-get\]

machine.program @p() {
  %x = machine.get : !machine.reg
  machine.exit
}
