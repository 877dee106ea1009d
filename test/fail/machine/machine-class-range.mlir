// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:30: error: there is no class 96 \[machine-class-range\]

machine.program @p() {
  %x = machine.ldg f32 [c96] : () -> (!machine.reg<r1>)
  machine.exit
}
