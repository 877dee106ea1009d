// ARGS: 9223372036854775807 [1,2,3]:f32
// WANT: trap is out of range for size 3

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 overflow<nsw, nuw> : index
  %v = arith.constant 1.0 : f32
  %small = arith.cmpi slt, %j, %i : index
  scf.if %small {
    memref.store %v, %x[%j] : memref<?xf32>
  }
  func.return
}
