// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: 'machine\.setcc' has no condition 'less' \[machine-modifier\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  %p = "machine.setcc"(%a, %a) <{condition = "less", type = #atlas.dtype<f32>}> : (!machine.reg<r1>, !machine.reg<r1>) -> !machine.pred<p0>
  machine.exit
}
