// RUN: hologram-opt %s -p 'schedule-atlas{target=gpu shared-bytes=100}'
// EXIT: 2
// ERROR: error: option 'shared-bytes' of schedule-atlas is a limit .* 16384 at least, not 100 for gpu \[schedule-limit\]

func.func @f() {
  func.return
}
