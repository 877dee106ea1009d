// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: 'memref\.dim' asks for axis 1 of a value of rank 1
func.func @f(%a: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c1 : memref<?xf32>
  func.return
}
