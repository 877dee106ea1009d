// ARGS: [1,2,3]:f32
// WANT: trap index -6 is out of range for size 3

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %k = arith.constant 18446744073709551610 : i128
  %t = arith.constant 18446744073709551619 : i128
  %o = arith.constant 1 : i128
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %k to %t step %o : i128 {
    %j = arith.index_cast %i : i128 to index
    memref.store %one, %x[%j] : memref<?xf32>
  }
  func.return
}
