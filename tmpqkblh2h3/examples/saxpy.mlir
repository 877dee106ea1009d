// y + a * x, element by element, for vectors of any length.
func.func @saxpy(%a: f32, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
  %as = hologram.fill %a sizes(%n) : f32 to tensor<?xf32>
  %ax = hologram.mul %as, %x : tensor<?xf32>
  %r = hologram.add %ax, %y : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
