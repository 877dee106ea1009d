// ARGS: 90000000000 [1,2,3]:f32
// WANT: trap memref.prefetch: index 90000000000

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
  func.return
}
