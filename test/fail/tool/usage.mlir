// RUN: hologram-opt %s other.mlir
// EXIT: 2
// ERROR: nothing more is expected, and .other.mlir. follows

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
