// RUN: hologram-run %s --device interpreter --arg '0'
// EXIT: 1
// ERROR: every size of the grid and the block must be at least 1, found \(0, 1, 1, 1, 1, 1\)
atlas.program @p() block [1, 1, 1] {
}
func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%n, %c1, %c1)
  func.return
}
