// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: temporary arrays are declared at the start of a program \[machine-temp-place\]

machine.arrays @p(f32[4]) {
  machine.copy outs(buf0) ins(buf0)
  machine.temp f32 [4]
}
