// ARGS: f32[3x4]=zeros
// WANT: trap index 4 is out of range for size 4 along axis 1

func.func @main(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 4 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%c0, %i] : memref<?x?xf32>
  func.return
}
