// RUN: hologram-run %s
// EXIT: 1
// ERROR: a module in a module has no guards
// ERROR: hint: move what it holds

builtin.module @inner {
  func.func @f(%x: memref<?xf32>, %i: index) -> f32 {
    %v = memref.load %x[%i] : memref<?xf32>
    func.return %v : f32
  }
}
func.func @main(%x: memref<?xf32>) {
  func.return
}
