// ARGS: 0 [1,2,3]:f32
// WANT: trap 4 elements from 3 on

func.func @main(%s: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[3] [4] [%s] : memref<?xf32> to memref<4xf32, strided<[?], offset: 3>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<4xf32, strided<[?], offset: 3>>
  func.return
}
