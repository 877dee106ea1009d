// RUN: hologram-opt %s
// EXIT: 1
// ERROR: verify-op.mlir:6:3: error: 'func.return' is not valid: the function has results of types \[i32\], and this gives \[\]

func.func @f() -> i32 {
  func.return
}
