// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.unpack' needs a coordinate, found !algebra\.residue<7> \[torus-packed-coordinate\]

func.func @f(%n: i8) {
  %c = torus.unpack %n : i8 to !algebra.residue<7>
  func.return
}
