// ARGS: 0 [1,2,3]:f32
// WANT: trap the step 0 is not positive

func.func @main(%s: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %v = arith.constant 7.0 : f32
  scf.for %i = %c0 to %n step %s {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  func.return
}
