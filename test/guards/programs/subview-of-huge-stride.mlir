// ARGS: 4611686018427387905 [1,2,3]:f32
// WANT: trap 4 elements from 0 on

func.func @main(%s: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[0] [4] [%s] : memref<?xf32> to memref<4xf32, strided<[?]>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<4xf32, strided<[?]>>
  func.return
}
