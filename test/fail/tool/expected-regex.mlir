// RUN: hologram-opt %s --verify-diagnostics
// EXIT: 1
// ERROR: expected-regex.mlir:5:4: error: this is no regular expression

// expected-error-re@below {{an {{open( bracket}}}}
func.func @f() {
  func.return
}
