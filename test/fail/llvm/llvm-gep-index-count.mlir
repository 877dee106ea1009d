// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 1 indices are operands, but there are 0
llvm.func @f(%p: !llvm.ptr) {
  %q = "llvm.getelementptr"(%p) <{rawConstantIndices = array<i32: -2147483648>, elem_type = f32, noWrapFlags = 0 : i32}> : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}
