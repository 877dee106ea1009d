// ARGS: 3 [1,2,3]:f32 [0]:i64
// WANT: trap there is no axis 3, the rank is 1

func.func @main(%i: index, %x: memref<?xf32>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %i : memref<?xf32>
  %w = arith.index_cast %n : index to i64
  memref.store %w, %y[%c0] : memref<?xi64>
  func.return
}
