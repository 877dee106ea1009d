// RUN: hologram-opt %s
// ERROR: sigil-gate-name.mlir:5:25: error: expected a gate, found .Q.
// ERROR: the gates are I, H, X
func.func @f(%p: i32) -> i32 {
  %q = sigil.cycle.gate Q %p : i32
  func.return %q : i32
}
