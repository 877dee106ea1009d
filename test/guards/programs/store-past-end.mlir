// ARGS: 1000000 [1,2,3]:f32
// WANT: trap memref.store: index 1000000

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%i] : memref<?xf32>
  func.return
}
