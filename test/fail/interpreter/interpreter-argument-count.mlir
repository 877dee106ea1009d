// RUN: hologram-run %s --device interpreter --arg '1'
// EXIT: 1
// ERROR: @f takes 2 arguments, found 1
func.func @f(%a: i32, %b: i32) {
  func.return
}
