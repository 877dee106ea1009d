// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'linalg.fill' puts a f64 into a tensor<4xf32> \[linalg-fill\]

func.func @f(%x: f64, %o: tensor<4xf32>) {
  %0 = linalg.fill ins(%x : f64) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  func.return
}
