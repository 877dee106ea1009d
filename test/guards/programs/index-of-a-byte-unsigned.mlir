// ARGS: [1,2,3]:f32
// WANT: trap index 156 is out of range for size 100

func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %k = arith.constant 100 : i8
  %z = arith.constant -100 : i8
  %o = arith.constant 1 : i8
  %y = memref.alloc() : memref<100xf32>
  scf.for %i = %z to %k step %o : i8 {
    %n = arith.index_castui %i : i8 to index
    memref.store %one, %y[%n] : memref<100xf32>
  }
  func.return
}
