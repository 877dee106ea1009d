// RUN: hologram-opt %s
// EXIT: 1
// ERROR: has nothing at position \[2\]
llvm.func @f(%x: !llvm.struct<(i32, f32)>) {
  %y = llvm.extractvalue %x[2] : !llvm.struct<(i32, f32)>
  llvm.return
}
