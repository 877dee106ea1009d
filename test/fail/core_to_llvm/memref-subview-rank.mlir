// RUN: hologram-opt %s --disable-verify -p convert-to-llvm
// EXIT: 1
// ERROR: the dimensions of memref<3xf32, strided<\[1\]>> are not those of the subview without ones \[memref-subview-rank\]

func.func private @f(%m: memref<4x4xf32>) {
  %v = memref.subview %m[0, 0] [2, 3] [1, 1] : memref<4x4xf32> to memref<3xf32, strided<[1]>>
  func.return
}
