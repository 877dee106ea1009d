// ARGS: 3 [true,false]:bool
// WANT: trap index 3 is out of range for size 2

func.func @main(%i: index, %x: memref<?xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi1>
  %e = memref.load %m[%c1] : memref<4xi1>
  memref.store %e, %x[%i] : memref<?xi1>
  memref.dealloc %m : memref<4xi1>
  func.return
}
