// RUN: hologram-opt %s -f mlri
// EXIT: 2
// ERROR: there is no input form 'mlri'
// ERROR: did you mean 'mlir'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
