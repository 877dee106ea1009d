// RUN: hologram-run %s --device interpreter --arg '1.0'
// EXIT: 1
// ERROR: the interpreter does not execute 'math\.sinh'
func.func @f(%x: f32) {
  %y = math.sinh %x : f32
  func.return
}
