// RUN: hologram-opt %s -p lift-machine
// EXIT: 1
// ERROR: :5:1: error: a block takes arguments.* \[lift-block-arguments\]

machine.program @p() {
  %x = machine.get : !machine.reg<r0>
  machine.fall ^bb1(%x : !machine.reg<r0>)
^bb1(%y: !machine.reg<r0>):
  machine.exit
}
