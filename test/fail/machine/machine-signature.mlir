// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a call of 'f' passes \(\), its header says \(!machine\.reg<r1>\) \[machine-signature\]

machine.program @p() {
  machine.call @f() : () -> ()
  machine.exit
}
machine.func @f(%a: f32 in !machine.reg<r1>) {
  machine.ret
}
