// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the last axis of 'atlas\.fft' has size 2, found memref<8x3xf32> \[atlas-fft-complex\]

func.func @f(%x: memref<?x2xf32>, %y: memref<8x3xf32>) {
  atlas.fft ins(%y : memref<8x3xf32>) outs(%y : memref<8x3xf32>)
  func.return
}
