// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'machine\.mov_imm' of f32 takes a number of type f32, found 1 : i32 \[machine-constant\]

machine.program @p() {
  %x = machine.mov_imm f32 1 : i32 : () -> (!machine.reg<r1>)
  machine.exit
}
