// RUN: hologram-opt %s
// ERROR: a body of .sigil.par. is one block of at least one operation
sigil.circuit @main {
  sigil.par {
    sigil.mark "c00"
  }, {
  }
}
