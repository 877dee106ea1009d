// ARGS: 1 [1,2,3]:f32
// WANT: value [1.0, 2.0, 7.0]

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<2xf32, strided<[1], offset: ?>>
  func.return
}
