// ARGS: [1,2,3]:f32
// WANT: value [0.0, 2.0, 3.0]

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<26214400xf32>
  %i = arith.constant 26214399 : index
  %e = memref.load %m[%i] : memref<26214400xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
