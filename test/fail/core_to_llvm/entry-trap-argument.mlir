// RUN: hologram-opt %s -p convert-func-to-llvm
// EXIT: 1
// ERROR: the trap record of @f must be its last argument, of type memref<8xi64> \[entry-trap-argument\]

func.func @f(%t: memref<8xi64> {hologram.trap}, %m: memref<4xf32>) {
  func.return
}
