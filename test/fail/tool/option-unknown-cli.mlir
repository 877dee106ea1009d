// RUN: hologram-opt %s --split-input-fil
// EXIT: 2
// ERROR: there is no option '--split-input-fil'
// ERROR: did you mean '--split-input-file'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
