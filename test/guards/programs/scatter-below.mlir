// ARGS: [1,2,3]:f32
// WANT: trap an index that the mask has

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<[0, -5, 2, 1]> : vector<4xi64>
  %m = arith.constant dense<true> : vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  vector.scatter %x[%c0] [%k], %m, %z : memref<?xf32>, vector<4xi64>, vector<4xi1>, vector<4xf32>
  func.return
}
