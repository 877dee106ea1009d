// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'machine\.add' reads a value of !machine\.reg<r1> that something in between has overwritten \[machine-clobbered\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  %b = machine.neg f32 %a : (!machine.reg<r1>) -> (!machine.reg<r1>)
  %c = machine.add f32 %a, %b : (!machine.reg<r1>, !machine.reg<r1>) -> (!machine.reg<r2>)
  machine.exit
}
