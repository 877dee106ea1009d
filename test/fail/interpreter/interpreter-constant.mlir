// RUN: hologram-run %s --device interpreter
// EXIT: 1
// ERROR: the interpreter has no value for the constant
func.func @f() {
  %c = arith.constant dense_resource<blob> : tensor<2xf32>
  func.return
}
