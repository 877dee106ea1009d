// ARGS: 100000 [1,2,3]:f32
// WANT: value [0.0, 2.0, 3.0]

func.func @main(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 10000 : index
  scf.for %i = %c0 to %k step %c1 {
    %m = memref.alloca(%n) : memref<?xf32>
    %e = memref.load %m[%i] : memref<?xf32>
    memref.store %e, %x[%c0] : memref<?xf32>
  }
  func.return
}
