// RUN: hologram-run %s
// EXIT: 1
// ERROR: has 2 entries and none is called 'main': 'scale', 'shift'

func.func @scale() {
  return
}

func.func @shift() {
  return
}
