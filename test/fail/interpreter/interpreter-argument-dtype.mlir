// RUN: hologram-run %s --device interpreter --arg 'f64[4]=zeros'
// EXIT: 1
// ERROR: argument 0 \(%a\) of @f must hold f32, found an array of float64
func.func @f(%a: memref<?xf32>) {
  func.return
}
