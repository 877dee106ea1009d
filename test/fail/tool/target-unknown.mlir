// RUN: hologram-opt %s -t mlri
// EXIT: 2
// ERROR: -t:1:1: error: there is no output form 'mlri'
// ERROR: did you mean 'mlir'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
