// RUN: hologram-opt %s
// EXIT: 1
// ERROR: can't be copied to memref<\?xf64>: elements or sizes differ \[memref-copy\]

func.func @f(%a: memref<4xf32>, %b: memref<?xf64>) {
  memref.copy %a, %b : memref<4xf32> to memref<?xf64>
  func.return
}
