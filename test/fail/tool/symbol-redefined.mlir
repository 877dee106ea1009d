// RUN: hologram-opt %s
// EXIT: 1
// ERROR: symbol-redefined.mlir:9:1: error: @f is defined twice
// ERROR: hint: the first @f is at line 6

func.func @f() {
  func.return
}
func.func @f() {
  func.return
}
