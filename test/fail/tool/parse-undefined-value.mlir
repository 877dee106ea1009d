// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-undefined-value.mlir:6:19: error: %b is used but not defined

func.func @f(%a: i32) -> i32 {
  %c = arith.addi %b, %a : i32
  func.return %c : i32
}
