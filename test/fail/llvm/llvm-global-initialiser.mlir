// RUN: hologram-opt %s
// EXIT: 1
// ERROR: must end in llvm.return of type i32
llvm.mlir.global @g() : i32 {
  %0 = llvm.mlir.constant(2.0 : f32) : f32
  llvm.return %0 : f32
}
