// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: type-based alias information
llvm.func @f(%p: !llvm.ptr) {
  %x = llvm.load %p {tbaa = ["some"]} : !llvm.ptr -> i32
  llvm.return
}
