// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-refused.mlir:6:3: error: this can't be read: 

func.func @f() {
  %c = arith.constant 0x1FFFFFFFFF : f32
  func.return
}
