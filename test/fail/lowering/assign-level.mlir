// RUN: hologram-opt %s -p "assign-registers"
// EXIT: 1
// ERROR: :5:1: error: 'func.func' has no place in machine code.* \[assign-level\]

func.func @f() {
  func.return
}
