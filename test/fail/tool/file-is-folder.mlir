// RUN: hologram-opt %S
// EXIT: 1
// ERROR: is a folder, not a file

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
