// RUN: hologram-opt %s --mlir-pass-pipeline-crash-reproducer=%s/repro.mlir
// EXIT: 2
// ERROR: the reproducer '.*repro.mlir' can't be written

func.func @f() -> i32 {
  func.return
}
