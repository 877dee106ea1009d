// RUN: hologram-opt %s -p eqsat-create-eclasses
// EXIT: 1
// ERROR: pass-failed.mlir:6:3: error: pass 'eqsat-create-eclasses' can't go on: Ops with non-single results not handled

func.func @f() -> i32 {
  %a, %b = "test.op"() : () -> (i32, i32)
  func.return %a : i32
}
