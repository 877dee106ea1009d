// RUN: hologram-run %s --device interpreter --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: 'memref\.cast' makes a value of shape \(5,\) where the type is memref<4xf32>
func.func @f(%a: memref<?xf32>) {
  %b = "memref.cast"(%a) : (memref<?xf32>) -> memref<4xf32>
  func.return
}
