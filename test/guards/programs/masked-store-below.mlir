// ARGS: -2 [1,2,3]:f32
// WANT: trap an element that the mask has

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant dense<true> : vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  vector.maskedstore %x[%i], %m, %z : memref<?xf32>, vector<4xi1>, vector<4xf32>
  func.return
}
