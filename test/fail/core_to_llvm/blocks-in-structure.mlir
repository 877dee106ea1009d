// RUN: hologram-opt %s -p convert-cf-to-llvm
// EXIT: 1
// ERROR: :8:5: error: cf.assert becomes several blocks, which scf.if can't hold \[blocks-in-structure\]
// ERROR: hint: run convert-scf-to-cf before

func.func private @f(%c: i1) {
  scf.if %c {
    cf.assert %c, "no"
  }
  func.return
}
