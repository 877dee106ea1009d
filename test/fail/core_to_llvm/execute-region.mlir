// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'scf.execute_region' has a block at least, and the first has no arguments \[execute-region\]

func.func @f() {
  "scf.execute_region"() ({
  ^bb0(%i: i32):
    scf.yield
  }) : () -> ()
  func.return
}
