// ARGS: 4611686018427387905 [1,2,3]:f32
// WANT: error launch-memory

func.func @main(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %i = arith.constant 1000 : index
  %e = memref.load %m[%i] : memref<?xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  func.return
}
