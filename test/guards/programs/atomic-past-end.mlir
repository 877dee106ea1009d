// ARGS: 5 [1,2,3]:i32
// WANT: trap memref.atomic_rmw: index 5

func.func @main(%i: index, %x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i32
  %r = "memref.atomic_rmw"(%v, %x, %i) <{kind = 1 : i64}> : (i32, memref<?xi32>, index) -> i32
  func.return
}
