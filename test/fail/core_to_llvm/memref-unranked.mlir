// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: memref<\*xf32> has no lowering to llvm: its rank must be known \[memref-unranked\]

func.func private @f(%m: memref<*xf32>) {
  memref.dealloc %m : memref<*xf32>
  func.return
}
