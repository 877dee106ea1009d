// ARGS: [1,2,3]:f32 f32[5]=zeros
// WANT: trap index 3 is out of range for size 3

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  func.return
}
