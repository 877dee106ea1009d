// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:25: error: expected an object such as buf0, shared1 or c21, found 'buff0' \[machine-address-object\]

machine.program @p(f32[?]) {
  %x = machine.ldg f32 [buff0 + 4] : () -> (!machine.reg<r1>)
  machine.exit
}
