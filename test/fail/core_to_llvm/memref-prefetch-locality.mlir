// RUN: hologram-opt %s
// EXIT: 1
// ERROR: memref.prefetch has a locality from 0 to 3 \[memref-prefetch-locality\]

func.func @f(%m: memref<?xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<4>, data : memref<?xf32>
  func.return
}
