// RUN: hologram-run %s --device interpreter
// EXIT: 1
// ERROR: 4:1: error: 'func\.func': calls are nested deeper than 256 return addresses
func.func @f() {
  func.call @f() : () -> ()
  func.return
}
