// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a lane has no registers r255 to r256 \[machine-register-range\]

machine.program @p() {
  %p = machine.get : !machine.reg<r255, 2>
  machine.exit
}
