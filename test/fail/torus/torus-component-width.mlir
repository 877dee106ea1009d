// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: a component of !torus\.coord<192, 384> takes 16 bits, more than i8 has \[torus-component-width\]

func.func @f(%a: !torus.coord<w64>) {
  %c = torus.page %a : !torus.coord<w64> to i8
  func.return
}
