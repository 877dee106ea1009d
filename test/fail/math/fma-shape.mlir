// RUN: hologram-opt %s -p expand-fma
// EXIT: 1
// ERROR: fma-shape.mlir:7:3: error: a fused multiply-add of vector<2x2xf64> can't be expanded \[fma-shape\]
// ERROR: vectorize-loops makes vectors of one dimension

func.func @f(%a: vector<2x2xf64>) -> vector<2x2xf64> {
  %r = vector.fma %a, %a, %a : vector<2x2xf64>
  func.return %r : vector<2x2xf64>
}
