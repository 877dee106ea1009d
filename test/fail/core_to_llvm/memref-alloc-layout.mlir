// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: memref.alloc can't make a memref<4xf32, strided<\[2\]>>: only memrefs without gaps can be allocated \[memref-alloc-layout\]

func.func private @f() {
  %m = memref.alloc() : memref<4xf32, strided<[2]>>
  func.return
}
