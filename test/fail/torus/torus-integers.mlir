// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: 'torus\.project' takes integers of 8 bits and more here, found f32 \[torus-integers\]

func.func @f(%n: f32) {
  %c = torus.project %n : f32 to !torus.coord
  func.return
}
