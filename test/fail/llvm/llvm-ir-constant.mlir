// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: no constant
llvm.func @f() -> i32 {
  %x = llvm.mlir.constant(1.5 : f32) : i32
  llvm.return %x : i32
}
