// RUN: hologram-run %s --device interpreter --arg '0'
// EXIT: 1
// ERROR: the step of 'scf\.for' must be positive, found 0
func.func @f(%n: index) {
  scf.for %i = %n to %n step %n {
  }
  func.return
}
