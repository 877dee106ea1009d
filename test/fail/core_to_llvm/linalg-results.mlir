// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.exp' has results of tensor<5xf32>, and its outputs are tensor<4xf32> \[linalg-results\]

func.func @f(%x: tensor<4xf32>, %o: tensor<4xf32>) {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<5xf32>
  func.return
}
