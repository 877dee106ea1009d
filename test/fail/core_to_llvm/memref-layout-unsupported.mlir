// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: has a layout that is not strided, and has no lowering to llvm \[memref-layout-unsupported\]

func.func private @f(%m: memref<8x8xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>) {
  func.return
}
