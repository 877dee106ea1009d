// ARGS: -1 [1,2,3]:f32
// WANT: trap -1 elements from 0 on

func.func @main(%s: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[0] [%s] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<?xf32, strided<[1]>>
  func.return
}
