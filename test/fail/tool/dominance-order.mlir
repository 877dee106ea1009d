// RUN: hologram-opt %s
// EXIT: 1
// ERROR: dominance-order.mlir:9:3: error: 'arith.addi' uses %y before it is defined
// ERROR: \^
// ERROR: hint: %y is defined at line 10


func.func @f(%a: i32) -> i32 {
  %x = arith.addi %y, %a : i32
  %y = arith.addi %a, %a : i32
  func.return %x : i32
}
