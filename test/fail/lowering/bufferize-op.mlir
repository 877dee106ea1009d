// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :6:3: error: 'hologram\.neg' on tensors has no buffer form \[bufferize-op\]

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = hologram.neg %a : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
