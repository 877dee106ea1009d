// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'scf.parallel' has an axis at least \[parallel-axes\]

func.func @f() {
  scf.parallel () = () to () step () {
  }
  func.return
}
