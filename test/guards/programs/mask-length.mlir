// ARGS: [1,2,3]:f32
// WANT: refused guard-vector

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mk = arith.constant dense<true> : vector<2xi1>
  %z = arith.constant dense<0.0> : vector<64xf32>
  vector.maskedstore %x[%c1], %mk, %z : memref<?xf32>, vector<2xi1>, vector<64xf32>
  func.return
}
