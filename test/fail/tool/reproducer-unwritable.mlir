// RUN: hologram-opt %s -p eqsat-create-eclasses --mlir-pass-pipeline-crash-reproducer=%s/repro.mlir
// EXIT: 2
// ERROR: reproducer-unwritable.mlir:7:3: error: pass 'eqsat-create-eclasses' can't go on
// ERROR: the reproducer '.*repro.mlir' can't be written

func.func @f() -> i32 {
  %a, %b = "test.op"() : () -> (i32, i32)
  func.return %a : i32
}
