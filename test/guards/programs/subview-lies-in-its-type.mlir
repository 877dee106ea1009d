// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[0] [%c1] [1] : memref<?xf32> to memref<100xf32, strided<[1]>>
  %e = arith.constant 7.0 : f32
  %i = arith.constant 99 : index
  memref.store %e, %v[%i] : memref<100xf32, strided<[1]>>
  func.return
}
