// ARGS: 1000 [1,2,3]:f32
// WANT: trap the sizes that axis 0 of size 3 becomes have another product

func.func @main(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.expand_shape %x [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  %i = arith.constant 999 : index
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%i, %c1] : memref<?x4xf32>
  func.return
}
