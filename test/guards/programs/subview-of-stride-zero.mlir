// ARGS: 0 [1,2,3]:f32
// WANT: value [1.0, 2.0, 7.0]

func.func @main(%s: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[2] [4] [%s] : memref<?xf32> to memref<4xf32, strided<[?], offset: 2>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<4xf32, strided<[?], offset: 2>>
  func.return
}
