// RUN: hologram-run %s --entry scales
// EXIT: 1
// ERROR: has no entry 'scales'
// ERROR: hint: did you mean 'scale'

func.func @scale() {
  return
}

func.func @shift() {
  return
}
