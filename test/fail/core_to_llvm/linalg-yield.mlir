// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.yield' gives f16, and the outputs hold f32 \[linalg-yield\]

func.func @f(%x: memref<4xf16>, %o: memref<4xf32>) {
  linalg.exp ins(%x : memref<4xf16>) outs(%o : memref<4xf32>)
  func.return
}
