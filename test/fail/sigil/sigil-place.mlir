// RUN: hologram-opt %s
// ERROR: .sigil.mark. stands in no circuit
func.func @f() {
  sigil.mark "c00"
  func.return
}
