// RUN: hologram-opt %s -p assign-registers
// EXIT: 1
// ERROR: :5:1: error: machine code has no arrays of the layout of memref<4xf32, strided<\[2\]>> \[assign-arrays-layout\]

func.func @p(%x: memref<4xf32, strided<[2]>>) {
  atlas.copy ins(%x : memref<4xf32, strided<[2]>>) outs(%x : memref<4xf32, strided<[2]>>)
  func.return
}
