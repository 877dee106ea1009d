// RUN: hologram-opt %s -t llvm-opt{level=4}
// EXIT: 2
// ERROR: no optimisation level 4
llvm.func @f() {
  llvm.return
}
