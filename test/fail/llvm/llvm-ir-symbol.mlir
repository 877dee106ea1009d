// RUN: hologram-opt %s --disable-verify -t llvm-ir
// EXIT: 1
// ERROR: nothing in the module is called @g
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
