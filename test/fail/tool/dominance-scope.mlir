// RUN: hologram-opt %s
// EXIT: 1
// ERROR: dominance-scope.mlir:6:3: error: 'test.op' uses %x, which is defined in a region

func.func @f(%c: i1) {
  "test.op"(%x) : (i32) -> ()
  scf.if %c {
    %x = arith.constant 1 : i32
  }
  func.return
}
