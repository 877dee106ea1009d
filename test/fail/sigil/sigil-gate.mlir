// RUN: hologram-opt %s
// ERROR: .Q. is no gate
func.func @f(%p: i32) -> i32 {
  %q = "sigil.cycle.gate"(%p) <{gate = "Q"}> : (i32) -> i32
  func.return %q : i32
}
