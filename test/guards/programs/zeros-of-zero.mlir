// ARGS: [1,2,3]:f32 0 -1
// WANT: trap index 64 is out of range for size 3

func.func @main(%x: memref<?xf32>, %i: i64, %j: i64) {
  %one = arith.constant 1.0 : f32
  %d = "math.ctlz"(%i) : (i64) -> i64
  %k = arith.index_cast %d : i64 to index
  memref.store %one, %x[%k] : memref<?xf32>
  func.return
}
