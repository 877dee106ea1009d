// RUN: hologram-opt %s -t atlas-asm
// EXIT: 1
// ERROR: :6:3: error: 'arith.constant' is no instruction of the machine form \[machine-form-operation\]

machine.program @p() {
  %c = arith.constant 1 : i32
  machine.exit
}
