// ARGS: 1000 [1,2,3]:f32
// WANT: trap the view from element 0 on is not within the 3 elements

func.func @main(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %i = arith.constant 999 : index
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%i] : memref<?xf32, strided<[1]>>
  func.return
}
