// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.offset' needs 32 bits at least, found i16 \[torus-integer-width\]

func.func @f(%a: i16) {
  %c = torus.offset %a, %a : i16
  func.return
}
