// RUN: hologram-opt %s
// ERROR: sigil-move.mlir:4:26: error: expected a number
sigil.circuit @main {
  sigil.transform "R+1 D-" {
    sigil.mark "c00"
  }
}
