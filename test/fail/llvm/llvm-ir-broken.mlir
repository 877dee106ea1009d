// RUN: hologram-opt %s -t llvm-opt
// EXIT: 70
// ERROR: LLVM refuses the IR
llvm.func @f() attributes {passthrough = [["memory", "half"]]} {
  llvm.return
}
