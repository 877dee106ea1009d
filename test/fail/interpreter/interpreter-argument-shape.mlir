// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros'
// EXIT: 1
// ERROR: argument 0 \(%a\) of @f must have shape \(\?, 2\), found \(4,\)
func.func @f(%a: memref<?x2xf32>) {
  func.return
}
