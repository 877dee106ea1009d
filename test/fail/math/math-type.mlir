// RUN: hologram-opt %s -p expand-math
// EXIT: 1
// ERROR: :6:3: error: 'math.exp' has no expansion for f80.* \[math-type\]

func.func @f(%x: f80) -> f80 {
  %y = math.exp %x : f80
  func.return %y : f80
}
