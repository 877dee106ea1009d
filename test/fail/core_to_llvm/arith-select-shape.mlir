// RUN: hologram-opt %s
// EXIT: 1
// ERROR: arith.select of f32 can't choose by vector<4xi1> \[arith-select-shape\]

func.func @f(%c: vector<4xi1>, %x: f32) {
  %r = arith.select %c, %x, %x : vector<4xi1>, f32
  func.return
}
