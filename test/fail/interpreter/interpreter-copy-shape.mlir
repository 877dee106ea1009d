// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: 6:3: error: 'memref\.copy' copies shape \(4,\) to shape \(5,\)
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {

  "memref.copy"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}
