// RUN: hologram-opt %s/file.mlir
// EXIT: 1
// ERROR: can't be read: Not a directory

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
