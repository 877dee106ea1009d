// RUN: hologram-opt %s -p 'schedule-atlas{bounds=hope}'
// EXIT: 2
// ERROR: error: option 'bounds' of schedule-atlas is guard or trust, not 'hope' \[schedule-bounds\]

func.func @f() {
  func.return
}
