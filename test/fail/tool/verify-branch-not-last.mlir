// RUN: hologram-opt %s
// EXIT: 1
// ERROR: verify-branch-not-last.mlir:6:3: error: 'cf.br' branches to other blocks

func.func @f() {
  cf.br ^end
  %x = arith.constant 1 : i32
^end:
  func.return
}
