// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-no-operation.mlir:8:1: error: an operation was expected here, not '}'

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
}
