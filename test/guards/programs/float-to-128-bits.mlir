// ARGS: [1,2,3]:f32 nan
// WANT: value [1.0, 2.0, 3.0]

func.func @main(%x: memref<?xf32>, %f: f32) {
  %one = arith.constant 1.0 : f32
  %d = arith.fptosi %f : f32 to i128
  %k = arith.index_cast %d : i128 to index
  memref.store %one, %x[%k] : memref<?xf32>
  func.return
}
