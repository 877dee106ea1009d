// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-unknown-operation.mlir:9:8: error: there is no operation 'arith.adi' in dialect 'arith'
// ERROR:        \^{9}\n
// ERROR: did you mean 'arith.a


func.func @f(%a: i32) -> i32 {
  %b = arith.adi %a, %a : i32
  func.return %b : i32
}
