// ARGS: [1,2,3]:f32 5
// WANT: refused guard-vector

func.func @main(%x: memref<?xf32>, %i: i128) {
  %c0 = arith.constant 0 : index
  %b = vector.broadcast %i : i128 to vector<4xi128>
  %m = arith.constant dense<true> : vector<4xi1>
  %p = arith.constant dense<0.0> : vector<4xf32>
  %g = vector.gather %x[%c0] [%b], %m, %p : memref<?xf32>, vector<4xi128>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %g, %x[%c0] : memref<?xf32>, vector<4xf32>
  func.return
}
