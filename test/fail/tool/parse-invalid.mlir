// RUN: hologram-opt %s
// EXIT: 1
// ERROR: parse-invalid.mlir:6:3: error: 'scf.for' terminates with operation func.return instead of scf.yield

func.func @f(%c: index) {
  scf.for %i = %c to %c step %c {
    func.return
  }
  func.return
}
