// RUN: hologram-opt %s
// EXIT: 1
// ERROR: from i8 to i32, which is not narrower
llvm.func @f(%x: i8) {
  %y = llvm.trunc %x : i8 to i32
  llvm.return
}
