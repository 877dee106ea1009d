// RUN: hologram-opt %s -p expand-fma
// EXIT: 1
// ERROR: fma-type.mlir:7:3: error: 'math.fma' of f128 can't be expanded \[fma-type\]
// ERROR: there is an expansion for f16 to f64

func.func @f(%a: f128) -> f128 {
  %r = math.fma %a, %a, %a : f128
  func.return %r : f128
}
