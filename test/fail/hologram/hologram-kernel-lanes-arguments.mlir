// RUN: hologram-opt %s
// ERROR: hologram-kernel-lanes-arguments\.mlir:3:1: error: the region 'lanes' takes the kernel's arguments
hologram.kernel @k(%x: f32) block [64, 1, 1] lanes {
  %n = arith.constant 3 : index
  hologram.lanes %n : index
} {
}
