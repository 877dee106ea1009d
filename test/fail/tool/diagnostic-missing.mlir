// RUN: hologram-opt %s --verify-diagnostics
// EXIT: 1
// ERROR: diagnostic-missing.mlir:5: error: expected error "some reason" was not produced for line 6

// expected-error@below {{some reason}}
func.func @f() {
  func.return
}
