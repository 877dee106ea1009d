// ARGS: -5 [1,2,3]:f32
// WANT: trap memref.alloc: size -5 is below 0

func.func @main(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %e = memref.load %m[%c0] : memref<?xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  func.return
}
