// ARGS: [1,2,3]:f32 [0,0,0]:f32
// WANT: trap index 3 is out of range for size 3

func.func @main(%t: tensor<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = tensor.extract %t[%j] : tensor<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  func.return
}
