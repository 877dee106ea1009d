// RUN: hologram-opt %s -p 'schedule-atlas{target=cpu arch=sm_90}'
// EXIT: 2
// ERROR: -p:1:27: error: option 'arch' of schedule-atlas is one of cuda, not of cpu \[schedule-arch\]

func.func @f() {
  func.return
}
