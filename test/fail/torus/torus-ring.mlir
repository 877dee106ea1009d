// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.add' needs elements of one ring, found !torus\.coord and !algebra\.residue<7> \[torus-ring\]

func.func @f(%a: !torus.coord, %b: !algebra.residue<7>) {
  %c = algebra.add %a, %b : (!torus.coord, !algebra.residue<7>) -> !torus.coord
  func.return
}
