// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: func.func can't be written as LLVM IR
func.func @f() {
  return
}
