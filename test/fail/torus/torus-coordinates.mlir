// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.page' takes coordinates, found !algebra\.residue<7> \[torus-coordinates\]

func.func @f(%a: !algebra.residue<7>) {
  %c = torus.page %a : !algebra.residue<7> to i32
  func.return
}
