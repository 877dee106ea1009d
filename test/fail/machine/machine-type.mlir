// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'machine\.exp' is not defined for u32 \[machine-type\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  %b = machine.exp u32 %a : (!machine.reg<r1>) -> (!machine.reg<r2>)
  machine.exit
}
