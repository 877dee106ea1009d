// ARGS: [1,2,3]:f32 [7]:i64 3
// WANT: trap there is no axis 3, the rank is 1

func.func @main(%t: tensor<?xf32>, %x: memref<?xi64>, %i: index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %i : tensor<?xf32>
  %v = arith.index_cast %n : index to i64
  memref.store %v, %x[%c0] : memref<?xi64>
  func.return
}
