// ARGS: [1,2,3]:f32
// WANT: refused guard-raw-pointer

llvm.func @main(%p: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.return
}
