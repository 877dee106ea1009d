// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:26: error: the types of the registers are missing: : \(\.\.\.\) -> \(\.\.\.\) \[machine-types-missing\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  %b = machine.exp f32 %a
  machine.exit
}
