// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.make' gives coordinates, not !algebra\.residue<7> \[torus-make-type\]

func.func @f(%n: i64) {
  %c = torus.make %n, %n : (i64, i64) -> !algebra.residue<7>
  func.return
}
