// RUN: hologram-opt %s other.mlir
// EXIT: 2
// ERROR: error: got unexpected extra argument

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
