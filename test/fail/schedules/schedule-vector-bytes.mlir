// RUN: hologram-opt %s -p 'schedule-atlas{vector-bytes=48}'
// EXIT: 2
// ERROR: error: option 'vector-bytes' of schedule-atlas is one of 16, 32, 64 for cpu, not 48 \[schedule-vector-bytes\]

func.func @f() {
  func.return
}
