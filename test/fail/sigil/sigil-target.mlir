// RUN: hologram-opt %s
// ERROR: sigil-target.mlir:4:19: error: expected ., or the end of the text|expected
sigil.circuit @main {
  sigil.copy "c00-c01"
}
