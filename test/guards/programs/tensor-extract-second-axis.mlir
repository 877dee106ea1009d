// ARGS: [[1,2],[3,4]]:f32 [7]:f32 -1
// WANT: trap index -1 is out of range for size 2 along axis 1

func.func @main(%t: tensor<?x?xf32>, %x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %t[%c0, %i] : tensor<?x?xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  func.return
}
