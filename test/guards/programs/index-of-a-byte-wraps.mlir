// ARGS: [1,2,3]:f32
// WANT: trap index -128 is out of range for size 300

func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %k = arith.constant 100 : i8
  %z = arith.constant 0 : i8
  %o = arith.constant 1 : i8
  %y = memref.alloc() : memref<300xf32>
  scf.for %i = %z to %k step %o : i8 {
    %j = arith.addi %i, %k : i8
    %n = arith.index_cast %j : i8 to index
    memref.store %one, %y[%n] : memref<300xf32>
  }
  func.return
}
