// ARGS: 3 [[1,2],[3,4]]:u64
// WANT: trap index 3 is out of range for size 2

func.func @main(%i: index, %x: memref<?xi128>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi128>
  %e = memref.load %m[%c1] : memref<4xi128>
  memref.store %e, %x[%i] : memref<?xi128>
  memref.dealloc %m : memref<4xi128>
  func.return
}
