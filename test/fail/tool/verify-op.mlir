// RUN: hologram-opt %s
// EXIT: 1
// ERROR: verify-op.mlir:6:3: error: 'func.return' is not valid: Expected arguments to have the same types

func.func @f() -> i32 {
  func.return
}
