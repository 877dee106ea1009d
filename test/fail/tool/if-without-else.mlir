// RUN: hologram-opt %s
// EXIT: 1
// ERROR: if-without-else.mlir:6:3: error: 'scf.if' has results

func.func @f(%c: i1, %a: i32) -> i32 {
  %s = scf.if %c -> (i32) {
    scf.yield %a : i32
  }
  func.return %s : i32
}
