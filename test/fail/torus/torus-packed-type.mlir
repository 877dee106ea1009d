// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: !torus\.coord is held by i16, not by i32 \[torus-packed-type\]

func.func @f(%a: !torus.coord) {
  %c = torus.pack %a : !torus.coord to i32
  func.return
}
