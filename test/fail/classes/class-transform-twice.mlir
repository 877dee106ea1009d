// RUN: hologram-opt %s
// ERROR: the transform has 'd' twice

func.func @f(%c: i32) {
  %0 = class.transform [d = 1, d = 2] %c : i32
  func.return
}
