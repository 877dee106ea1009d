// RUN: hologram-opt %s -p convert-func-to-llvm
// EXIT: 1
// ERROR: the arguments that the launch passes to @f must be its last ones, each once, and in this order: hologram.trap of type memref<8xi64>.*\[entry-hidden-argument\]

func.func @f(%t: memref<8xi64> {hologram.trap}, %m: memref<4xf32>) {
  func.return
}
