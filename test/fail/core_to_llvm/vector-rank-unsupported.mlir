// RUN: hologram-opt %s -p convert-arith-to-llvm
// EXIT: 1
// ERROR: :6:3: error: arith.addf on vector<2x2xf32> has no lowering to llvm: only vectors of one dimension have \[vector-rank-unsupported\]

func.func @f(%x: vector<2x2xf32>) -> vector<2x2xf32> {
  %y = arith.addf %x, %x : vector<2x2xf32>
  func.return %y : vector<2x2xf32>
}
