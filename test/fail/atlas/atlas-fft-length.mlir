// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the length of 'atlas\.fft' is at least 1, found memref<0x2xf32> \[atlas-fft-length\]

func.func @f(%x: memref<0x2xf32>) {
  atlas.fft ins(%x : memref<0x2xf32>) outs(%x : memref<0x2xf32>)
  func.return
}
