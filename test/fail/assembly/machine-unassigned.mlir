// RUN: hologram-opt %s -t atlas-asm
// EXIT: 1
// ERROR: :6:3: error: a value of 'machine.mov_imm' has no register yet \[machine-unassigned\]

machine.program @p() {
  %c = machine.mov_imm u32 1 : i32 : () -> (!machine.reg)
  machine.exit
}
