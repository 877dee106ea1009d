// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.project' gives residues, not !torus\.coord \[algebra-project-type\]

func.func @f(%n: i64) {
  %c = algebra.project %n : i64 to !torus.coord
  func.return
}
