// RUN: hologram-opt %s
// EXIT: 1
// ERROR: while-regions.mlir:6:3: error: 'scf.while' needs a region before

func.func @f() {
  "scf.while"() ({}, {}) : () -> ()
  func.return
}
