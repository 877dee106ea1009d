// ARGS: 0 [5]:i64
// WANT: trap integer division by zero

func.func @main(%b: index, %x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<?xi64>
  %i = arith.index_cast %a : i64 to index
  %q = arith.remui %i, %b : index
  %w = arith.index_cast %q : index to i64
  memref.store %w, %x[%c0] : memref<?xi64>
  func.return
}
