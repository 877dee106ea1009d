// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'algebra\.value' takes residues to integers of 16 bits and more, found !algebra\.residue<1000> to i8 \[algebra-value-type\]

func.func @f(%a: !algebra.residue<1000>) {
  %c = algebra.value %a : !algebra.residue<1000> to i8
  func.return
}
