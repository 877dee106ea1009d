// ARGS: -1 [-2147483648]:i32
// WANT: value [-2147483648]

func.func @main(%b: i32, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<?xi32>
  %q = arith.divsi %a, %b : i32
  memref.store %q, %x[%c0] : memref<?xi32>
  func.return
}
