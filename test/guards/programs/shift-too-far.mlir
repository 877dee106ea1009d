// ARGS: 33 [1]:i32
// WANT: value [2]

func.func @main(%b: i32, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<?xi32>
  %q = arith.shli %a, %b : i32
  memref.store %q, %x[%c0] : memref<?xi32>
  func.return
}
