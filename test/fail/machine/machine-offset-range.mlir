// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:53: error: the byte offset 9223372036854775808 does not fit into 64 bits \[machine-offset-range\]

machine.program @p(f32[?]) {
  %x = machine.ldg f32 [buf0 + 9223372036854775808] : () -> (!machine.reg<r1>)
  machine.exit
}
