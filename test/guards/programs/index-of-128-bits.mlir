// ARGS: [1,2,3]:f32
// WANT: trap index 3 is out of range for size 3

func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %k = arith.constant 18446744073709551616 : i128
  %t = arith.constant 18446744073709551619 : i128
  %o = arith.constant 1 : i128
  %i = arith.index_cast %t : i128 to index
  memref.store %one, %x[%i] : memref<?xf32>
  func.return
}
