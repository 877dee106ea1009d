// RUN: hologram-opt %s -p lift-machine
// EXIT: 1
// ERROR: :6:3: error: 'arith.constant' is nothing that machine code is made of \[lift-operation\]

machine.program @p() {
  %x = arith.constant 1 : i32
  machine.exit
}
