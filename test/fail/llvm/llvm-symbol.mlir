// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'llvm.call' names @g, which is not there
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
