// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :6:3: error: arith.sitofp can't turn vector<4xi32> into vector<2xf32>: the shapes differ \[arith-cast-shape\]

func.func @f(%v: vector<4xi32>) {
  %r = arith.sitofp %v : vector<4xi32> to vector<2xf32>
  func.return
}
