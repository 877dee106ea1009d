// ARGS: [1,2,3,4]:f32 f32[4]=zeros
// WANT: value [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 3.0, 4.0]

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = vector.load %x[%c0] : memref<?xf32>, vector<4xf32>
  vector.store %v, %y[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
