// RUN: hologram-opt %s
// ERROR: .sigil.cycle.gate. needs i16, i32 or i64 for positions, found i8
func.func @f(%p: i8) -> i8 {
  %q = sigil.cycle.gate H %p : i8
  func.return %q : i8
}
