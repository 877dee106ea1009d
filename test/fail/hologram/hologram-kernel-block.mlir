// RUN: hologram-opt %s
// ERROR: hologram-kernel-block\.mlir:3:28: error: a block has three sizes of at least 1
hologram.kernel @k() block [64, 1] {
}
