// The sum of squares of a vector of any length: the product is fused into the reduction.
func.func @sum_of_squares(%x: tensor<?xf32>) -> tensor<f32> {
  %q = hologram.mul %x, %x : tensor<?xf32>
  %s = hologram.reduce sum %q {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>
  func.return %s : tensor<f32>
}
