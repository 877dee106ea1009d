// ARGS: -1 [-9223372036854775808]:i64
// WANT: value [-9223372036854775808]

func.func @main(%b: i64, %x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<?xi64>
  %q = arith.floordivsi %a, %b : i64
  memref.store %q, %x[%c0] : memref<?xi64>
  func.return
}
