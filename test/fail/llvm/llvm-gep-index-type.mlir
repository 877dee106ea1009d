// RUN: hologram-opt %s
// EXIT: 1
// ERROR: can't go into f32
llvm.func @f(%p: !llvm.ptr) {
  %q = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, f32
  llvm.return
}
