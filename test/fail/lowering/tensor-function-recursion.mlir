// RUN: hologram-opt %s -p inline-tensor-functions
// EXIT: 1
// ERROR: :6:3: error: 'f' calls itself, and a function over tensors has no stack \[tensor-function-recursion\]

func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
