// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'p' declares no buf1 \[machine-object-undeclared\]

machine.program @p(f32[?]) {
  %x = machine.ldg f32 [buf1] : () -> (!machine.reg<r1>)
  machine.exit
}
