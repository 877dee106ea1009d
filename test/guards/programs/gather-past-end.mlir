// ARGS: [1,2,3]:f32 f32[4]=zeros
// WANT: trap an index that the mask has

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[0, 1, 2, 1000000]> : vector<4xi32>
  %m = arith.constant dense<true> : vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  %v = vector.gather %x[%c0] [%k], %m, %z : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %v, %y[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
