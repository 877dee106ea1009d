// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.project' gives coordinates, not !algebra\.residue<7> \[torus-project-type\]

func.func @f(%n: i64) {
  %c = torus.project %n : i64 to !algebra.residue<7>
  func.return
}
