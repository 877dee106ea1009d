// RUN: hologram-opt %s -t circuit
// ERROR: circuit-form.mlir:7:1: error: a circuit's text is one sigil.circuit, and the module has 1 and 1 others

sigil.circuit @main {
  sigil.mark "c00"
}
func.func private @f()
