// RUN: hologram-opt %s --no-implicit-module
// EXIT: 1
// ERROR: one builtin.module was expected

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
