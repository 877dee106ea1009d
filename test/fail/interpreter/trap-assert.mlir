// RUN: hologram-run %s --device interpreter --arg 'false'
// EXIT: 1
// ERROR: 'cf\.assert': sizes differ
func.func @f(%p: i1) {
  cf.assert %p, "sizes differ"
  func.return
}
