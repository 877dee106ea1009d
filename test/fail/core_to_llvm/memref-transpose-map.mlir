// RUN: hologram-opt %s
// EXIT: 1
// ERROR: is not a permutation of the dimensions \[memref-transpose-map\]

func.func @f(%m: memref<2x3xf32>) {
  %r = "memref.transpose"(%m) <{permutation = affine_map<(i, j) -> (i, i)>}> : (memref<2x3xf32>) -> memref<2x2xf32>
  func.return
}
