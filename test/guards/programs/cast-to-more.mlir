// ARGS: [1,2,3]:f32
// WANT: trap size 3 along axis 0 is not 1000

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = "memref.cast"(%x) : (memref<?xf32>) -> memref<1000xf32>
  %i = arith.constant 999 : index
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%i] : memref<1000xf32>
  func.return
}
