// RUN: hologram-opt %s -t llvm
// EXIT: 1
// ERROR: output form 'llvm' can't write this module

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
