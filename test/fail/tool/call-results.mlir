// RUN: hologram-opt %s
// EXIT: 1
// ERROR: call-results.mlir:10:3: error: 'llvm.call' takes \(f32\) from @g, which gives \(\)
// ERROR: hint: @g is at line 6

llvm.func @g(%a: i32) {
  llvm.return
}
llvm.func @f(%a: i32) {
  %0 = llvm.call @g(%a) : (i32) -> f32
  llvm.return
}
