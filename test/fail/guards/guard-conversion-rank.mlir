// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'arith.fptosi' is on a vector<2x2xf32>
// ERROR: hint: .*unroll the outer dimensions first

func.func @main(%x: memref<?xf32>) {
  %v = arith.constant dense<1.0> : vector<2x2xf32>
  %n = arith.fptosi %v : vector<2x2xf32> to vector<2x2xi32>
  func.return
}
