// RUN: hologram-opt %s --run-reproducer
// EXIT: 1
// ERROR: holds no reproducer

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
