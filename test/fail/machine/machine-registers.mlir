// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'machine\.add' writes \(!machine\.reg<2>\), found \(!machine\.reg<r2>\) \[machine-registers\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  %b = machine.add u128 %a, %a : (!machine.reg<r1>, !machine.reg<r1>) -> (!machine.reg<r2>)
  machine.exit
}
