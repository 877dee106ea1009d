// RUN: hologram-opt %s -p 'schedule-atlas{cache-bytes=-1}'
// EXIT: 2
// ERROR: error: option 'cache-bytes' of schedule-atlas is a size in bytes, not -1 \[schedule-cache-bytes\]

func.func @f() {
  func.return
}
