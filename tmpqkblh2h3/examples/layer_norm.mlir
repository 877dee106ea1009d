// (x - mean) / sqrt(variance + 1e-5) * gamma + beta over each row, from primitive operations: fusion leaves two
// reductions and one map.
func.func @layer_norm(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>, %beta: tensor<?xf32>) -> tensor<?x?xf32> {
  %m = hologram.dim %x {axis = 0 : i64} : tensor<?x?xf32> to index
  %n = hologram.dim %x {axis = 1 : i64} : tensor<?x?xf32> to index
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f32
  %count = hologram.fill %nf sizes(%m) : f32 to tensor<?xf32>
  %sum = hologram.reduce sum %x {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %mean = hologram.div %sum, %count : tensor<?xf32>
  %means = hologram.broadcast %mean sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %d = hologram.sub %x, %means : tensor<?x?xf32>
  %dd = hologram.mul %d, %d : tensor<?x?xf32>
  %squares = hologram.reduce sum %dd {axes = [1 : i64]} : tensor<?x?xf32> to tensor<?xf32>
  %variance = hologram.div %squares, %count : tensor<?xf32>
  %eps = hologram.constant dense<1.0e-5> : tensor<f32>
  %epsilons = hologram.broadcast %eps sizes(%m) : tensor<f32> to tensor<?xf32>
  %shifted = hologram.add %variance, %epsilons : tensor<?xf32>
  %deviation = hologram.sqrt %shifted : tensor<?xf32>
  %deviations = hologram.broadcast %deviation sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to tensor<?x?xf32>
  %unit = hologram.div %d, %deviations : tensor<?x?xf32>
  %gammas = hologram.broadcast %gamma sizes(%m, %n) : tensor<?xf32> to tensor<?x?xf32>
  %betas = hologram.broadcast %beta sizes(%m, %n) : tensor<?xf32> to tensor<?x?xf32>
  %scaled = hologram.mul %unit, %gammas : tensor<?x?xf32>
  %y = hologram.add %scaled, %betas : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
