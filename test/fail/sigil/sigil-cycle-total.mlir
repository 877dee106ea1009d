// RUN: hologram-opt %s
// ERROR: sums of 768, out of the range of 0 to 767
func.func @f(%p: i32) -> i32 {
  %q = sigil.cycle.partner 768 %p : i32
  func.return %q : i32
}
