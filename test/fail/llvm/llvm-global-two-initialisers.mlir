// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a value and an initialiser region
llvm.mlir.global @g(1 : i32) : i32 {
  %0 = llvm.mlir.constant(2 : i32) : i32
  llvm.return %0 : i32
}
