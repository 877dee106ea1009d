// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :5:1: error: function 'f' has no single block of tensor operations \[bufferize-blocks\]

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
