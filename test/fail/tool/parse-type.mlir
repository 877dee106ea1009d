// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-type.mlir:6:28: error: 'arith.addf' is not defined on i32 \[parse-type\]
// ERROR: hint: integers have 'arith.addi'
func.func @f(%a: i32) {
  %0 = arith.addf %a, %a : i32
  return
}
