// ARGS: [1,2,3]:f32 5.0
// WANT: value [1.0, 1.0, 3.0]

func.func @main(%x: memref<?xf32>, %v: f32) {
  %one = arith.constant 1.0 : f32
  %m = arith.cmpf ogt, %v, %one : f32
  %d = arith.divsi %m, %m : i1
  %r = arith.remsi %m, %m : i1
  %i = arith.index_castui %d : i1 to index
  memref.store %one, %x[%i] : memref<?xf32>
  func.return
}
