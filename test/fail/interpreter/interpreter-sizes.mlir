// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: 'hologram\.add' needs 4 == 5; its operands have shapes \(4,\), \(5,\)
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = hologram.add %a, %b : tensor<?xf32>
  func.return %c : tensor<?xf32>
}
