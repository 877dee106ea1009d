// ARGS: [1,2,3]:f32 [7,7]:f32 -1
// WANT: value [1.0, 2.0, 3.0] [3.0, 7.0]

func.func @main(%t: tensor<?xf32>, %x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %last = arith.addi %n, %i : index
  %v = tensor.extract %t[%last] : tensor<?xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  func.return
}
