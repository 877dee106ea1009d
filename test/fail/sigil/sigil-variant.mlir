// RUN: hologram-opt %s
// ERROR: did you mean .mul.
sigil.circuit @main {
  sigil.merge mull "c00[c01,c02]"
}
