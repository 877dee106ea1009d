// RUN: hologram-opt %s
// EXIT: 1
// ERROR: if-yield.mlir:9:5: error: this yields \(i1\) from an 'scf.if' with results \(i32\)

func.func @f(%c: i1, %a: i32) -> i32 {
  %s = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %c : i1
  }
  func.return %s : i32
}
