// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'machine\.ldg' reaches global and class memory, found shared memory \[machine-address-space\]

machine.program @p() {
  machine.array shared f32[8]
  %x = machine.ldg f32 [shared0] : () -> (!machine.reg<r1>)
  machine.exit
}
