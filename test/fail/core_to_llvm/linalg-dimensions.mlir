// RUN: hologram-opt %s
// EXIT: 1
// ERROR: \[2\] are no axes of rank 2, each once and in order \[linalg-dimensions\]

func.func @f(%x: memref<4x8xf32>, %o: memref<4xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%o : memref<4xf32>) dimensions = [2]
  func.return
}
