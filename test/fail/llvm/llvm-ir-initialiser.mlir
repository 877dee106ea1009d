// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: llvm.mul can't be part of a constant
llvm.mlir.global @g() : i32 {
  %0 = llvm.mlir.constant(2 : i32) : i32
  %1 = llvm.mul %0, %0 : i32
  llvm.return %1 : i32
}
