// RUN: hologram-opt %s
// ERROR: hologram-call-symbol\.mlir:4:3: error: there is no hologram\.function @none
hologram.kernel @k() block [64, 1, 1] {
  hologram.call @none() : () -> ()
}
