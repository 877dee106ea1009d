// RUN: hologram-opt %s -p inline-tensor-functions
// EXIT: 1
// ERROR: :12:3: error: 'g' has branches between blocks, so that no body takes the place of this call \[tensor-function-blocks\]

func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  func.return %a : tensor<4xf32>
}

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
