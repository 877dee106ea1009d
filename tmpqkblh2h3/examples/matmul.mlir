// The product of two matrices of any size, with a bias added to each row.
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = hologram.dim %a {axis = 0 : i64} : tensor<?x?xf32> to index
  %n = hologram.dim %b {axis = 1 : i64} : tensor<?x?xf32> to index
  %ab = hologram.matmul %a, %b : tensor<?x?xf32>
  %biases = hologram.broadcast %bias sizes(%m, %n) : tensor<?xf32> to tensor<?x?xf32>
  %r = hologram.add %ab, %biases : tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}
