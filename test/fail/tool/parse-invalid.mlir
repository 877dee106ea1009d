// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-invalid.mlir:6:3: error: Integer value 300 is out of range for type i8

func.func @f() {
  %c = arith.constant 300 : i8
  func.return
}
