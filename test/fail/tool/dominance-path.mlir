// RUN: hologram-opt %s
// EXIT: 1
// ERROR: dominance-path.mlir:12:3: error: 'func.return' uses %x, which is not defined on every path
// ERROR: hint: %x is defined at line 9

func.func @f(%c: i1) -> i32 {
  cf.cond_br %c, ^some, ^end
^some:
  %x = arith.constant 1 : i32
  cf.br ^end
^end:
  func.return %x : i32
}
