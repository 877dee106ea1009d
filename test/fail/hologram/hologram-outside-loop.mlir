// RUN: hologram-opt %s
// ERROR: hologram-outside-loop\.mlir:4:3: error: 'hologram\.break' stands in a loop, and there is none around it
hologram.kernel @k() block [64, 1, 1] {
  hologram.break
}
