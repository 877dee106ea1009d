// RUN: hologram-opt %s
// ERROR: tiles can.t be of type u128
sigil.circuit @main u128 {
  sigil.mark "c00"
}
