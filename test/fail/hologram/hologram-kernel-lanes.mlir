// RUN: hologram-opt %s
// ERROR: hologram-kernel-lanes\.mlir:3:1: error: the region 'lanes' ends in 'hologram\.lanes' of one to three sizes
hologram.kernel @k() block [64, 1, 1] lanes {
  %n = arith.constant 3 : index
} {
}
