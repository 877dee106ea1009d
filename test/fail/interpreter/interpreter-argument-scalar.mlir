// RUN: hologram-run %s --device interpreter --arg '300'
// EXIT: 1
// ERROR: argument 0 \(%a\) of @f must be a number of type i8, found 300
func.func @f(%a: i8) {
  func.return
}
