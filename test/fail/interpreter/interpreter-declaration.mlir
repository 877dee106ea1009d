// RUN: hologram-run %s --entry f --device interpreter
// EXIT: 1
// ERROR: @g is declared but has no body
func.func private @g()
func.func @f() {
  func.call @g() : () -> ()
  func.return
}
