// ARGS: [1,2,3]:f32
// WANT: refused guard-module

builtin.module @inner {
  func.func @f(%x: memref<?xf32>) {
    %k = arith.constant 999999999 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %x[%k] : memref<?xf32>
    func.return
  }
}
func.func @main(%x: memref<?xf32>) {
  func.return
}
