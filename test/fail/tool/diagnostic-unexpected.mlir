// RUN: hologram-opt %s --verify-diagnostics
// EXIT: 1
// ERROR: diagnostic-unexpected.mlir:6:3: error: unexpected error: 'func.return' is not valid

func.func @f() -> i32 {
  func.return
}
