// RUN: hologram-opt %s
// ERROR: .func.func. stands in a body of .sigil.circuit.
sigil.circuit @main {
  func.func private @f()
}
