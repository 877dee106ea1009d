// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: only an aggregate that is undefined
llvm.mlir.global @g() : !llvm.struct<(i32, i32)> {
  %0 = llvm.mlir.constant([1 : i32, 2 : i32]) : !llvm.struct<(i32, i32)>
  %1 = llvm.mlir.constant(2 : i32) : i32
  %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i32, i32)>
  llvm.return %2 : !llvm.struct<(i32, i32)>
}
