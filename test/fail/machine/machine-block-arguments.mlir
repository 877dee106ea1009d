// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :5:1: error: 'machine\.fall' passes \(\) to a block that takes \(!machine\.reg<r2>\) \[machine-block-arguments\]

machine.program @p() {
  %a = machine.get : !machine.reg<r1>
  machine.fall ^bb1
^bb1(%b: !machine.reg<r2>):
  machine.exit
}
