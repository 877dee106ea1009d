// RUN: hologram-opt %s
// EXIT: 1
// ERROR: the regions of 'scf.if' take no arguments \[if-arguments\]

func.func @f(%c: i1) {
  "scf.if"(%c) ({
  ^bb0(%i: index):
    scf.yield
  }, {}) : (i1) -> ()
  func.return
}
