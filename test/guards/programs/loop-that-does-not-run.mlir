// ARGS: 1099511627776 0 [1,2,3]:f32
// WANT: trap index 1099511627776 is out of range for size 3

func.func @main(%p: index, %n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %k, %x[%p] : memref<?xf32>
  }
  memref.store %k, %x[%p] : memref<?xf32>
  func.return
}
