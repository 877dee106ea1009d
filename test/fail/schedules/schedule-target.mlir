// RUN: hologram-opt %s -p 'schedule-atlas{target=cup}'
// EXIT: 2
// ERROR: error: there is no target 'cup' \[schedule-target\]
// ERROR: hint: did you mean 'cpu'

func.func @f() {
  func.return
}
