// RUN: hologram-opt %S/Inputs/latin1.mlir
// EXIT: 1
// ERROR: is not UTF-8 text: byte 0xe9 at 3

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
