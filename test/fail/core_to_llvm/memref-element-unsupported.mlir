// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: elements of memref<4xmemref<2xf32>> have no size in memory \[memref-element-unsupported\]

func.func private @f() {
  %m = memref.alloc() : memref<4xmemref<2xf32>>
  func.return
}
