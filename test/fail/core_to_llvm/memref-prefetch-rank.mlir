// RUN: hologram-opt %s
// EXIT: 1
// ERROR: memref.prefetch takes an index for each dimension of the memref \[memref-prefetch-rank\]

func.func @f(%m: memref<?x?xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<3>, data : memref<?x?xf32>
  func.return
}
