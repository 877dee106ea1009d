// The softmax of each row.
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = hologram.softmax %x {axis = 1 : i64} : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
