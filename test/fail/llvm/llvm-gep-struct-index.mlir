// RUN: hologram-opt %s
// EXIT: 1
// ERROR: a constant below 2
llvm.func @f(%p: !llvm.ptr) {
  %q = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  llvm.return
}
