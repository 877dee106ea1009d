// ARGS: -100000 [1,2,3]:f32 f32[4]=zeros
// WANT: trap index -100000 is below 0

func.func @main(%i: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%i], %z : memref<?xf32>, vector<4xf32>
  vector.store %v, %y[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
