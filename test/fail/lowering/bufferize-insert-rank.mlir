// RUN: hologram-opt %s -p bufferize
// EXIT: 1
// ERROR: :7:3: error: a part must have the rank of the tensor it is inserted into \[bufferize-insert-rank\]

func.func @f(%a: tensor<4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %r = tensor.insert_slice %a into %e[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}
