// RUN: hologram-opt %s -p hologram-to-cpu
// EXIT: 1
// ERROR: math-not-expanded.mlir:8:3: error: 'math.tanh' can't be compiled yet: expand-math has no expansion of it \[math-not-expanded\]
// ERROR: %r = hologram.tanh %a : tensor<4xf32>
// ERROR: hint: the reference interpreter computes it

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = hologram.tanh %a : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
