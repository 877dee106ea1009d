// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the steps of 'scf.parallel' are positive, and this one is 0 \[parallel-step\]

func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c0) {
  }
  func.return
}
