// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: there is no special register '%gid' of type u32 \[machine-special\]

machine.program @p() {
  %x = machine.special u32 gid : () -> (!machine.reg<r1>)
  machine.exit
}
