// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg 'f32[5]=zeros'
// EXIT: 1
// ERROR: 'atlas\.copy' computes shape \(4,\) for an out of shape \(5,\)
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  atlas.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  func.return
}
