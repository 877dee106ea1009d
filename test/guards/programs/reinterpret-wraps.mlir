// ARGS: 4611686018427387905 4 [1,2,3]:f32
// WANT: trap the view from element 0 on

func.func @main(%n: index, %s: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [%s] : memref<?xf32> to memref<?xf32, strided<[?]>>
  %i = arith.constant 90000 : index
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%i] : memref<?xf32, strided<[?]>>
  func.return
}
