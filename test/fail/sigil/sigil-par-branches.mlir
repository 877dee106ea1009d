// RUN: hologram-opt %s
// ERROR: .sigil.par. has 1 branches
sigil.circuit @main {
  sigil.par {
    sigil.mark "c00"
  }
}
