// RUN: hologram-opt %s
// EXIT: 1
// ERROR: vector.step makes a vector<Nxindex>, not vector<4xi32> \[vector-step-type\]

func.func @f() {
  %r = vector.step : vector<4xi32>
  func.return
}
