// RUN: hologram-run %s --entry g --device interpreter
// EXIT: 1
// ERROR: there is no function @g in the module
func.func @f() {
  func.return
}
