// RUN: hologram-run %s --device interpreter
// EXIT: 1
// ERROR: the module has 2 public functions, and none is called main
func.func @f() {
  func.return
}
func.func @g() {
  func.return
}
