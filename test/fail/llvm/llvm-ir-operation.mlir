// RUN: hologram-opt %s -t llvm-ir
// EXIT: 1
// ERROR: arith.addi can't be written
llvm.func @f(%x: i32) {
  %y = arith.addi %x, %x : i32
  llvm.return
}
