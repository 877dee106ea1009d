// RUN: hologram-opt %s -p 'stage-class-tiles{reuse=0}'
// EXIT: 2
// ERROR: stage-class-tiles can't stage 32768 bytes that are read 0 times

func.func @f() {
  func.return
}
