// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: parallel-call-callee.mlir:9:3: error: @f can't be called with the attribute hologram.parallel \[parallel-call-callee\]

func.func private @f(%begin: index, %end: index) {
  func.return
}
func.func @main(%n: index) {
  func.call @f(%n, %n) {hologram.parallel} : (index, index) -> ()
  func.return
}
