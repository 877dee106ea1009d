// RUN: hologram-opt %s -t mlir,mlir
// EXIT: 2
// ERROR: error: -t takes one name with options, not 'mlir,mlir'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
