// RUN: hologram-run %s --device interpreter --arg '1'
// EXIT: 1
// ERROR: the interpreter has no values of type tuple<f32>
func.func @f(%a: tuple<f32>) {
  func.return
}
