// RUN: hologram-opt %s -p lift-machine
// EXIT: 1
// ERROR: :6:3: error: 'machine.mov_imm' works on a value without a register \[lift-unassigned\]

machine.program @p() {
  %x = machine.mov_imm i32 1 : i32 : () -> (!machine.reg)
  machine.exit
}
