// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :6:3: error: a function over tensors can't return a value of type index \[bufferize-scalar-result\]

func.func @f(%a: tensor<4xf32>, %n: index) -> index {
  func.return %n : index
}
