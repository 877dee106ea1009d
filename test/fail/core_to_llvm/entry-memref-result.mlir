// RUN: hologram-opt %s -p convert-func-to-llvm
// EXIT: 1
// ERROR: @f is public and returns a memref, which the launch ABI can't \[entry-memref-result\]

func.func @f(%m: memref<4xi32>) -> memref<4xi32> {
  func.return %m : memref<4xi32>
}
