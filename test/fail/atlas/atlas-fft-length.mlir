// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the length of 'atlas\.fft' is static and at least 1, found memref<\?x2xf32> \[atlas-fft-length\]

func.func @f(%x: memref<?x2xf32>, %y: memref<8x3xf32>) {
  atlas.fft ins(%x : memref<?x2xf32>) outs(%x : memref<?x2xf32>)
  func.return
}
