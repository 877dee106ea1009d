// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg '[1,4]:i64'
// EXIT: 1
// ERROR: 'hologram\.gather': index 4 at \(1\) is out of range for size 4
func.func @f(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %r = hologram.gather %x, %i {axis = 0 : i64} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
