// ARGS: [1,2,3]:f32
// WANT: value [1.0, 1.0, 3.0]

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<8xi8>
  %two = arith.constant 2 : i8
  memref.store %two, %b[%c0] : memref<8xi8>
  %m = memref.view %b[%c0][] : memref<8xi8> to memref<8xi1>
  %e = memref.load %m[%c0] : memref<8xi1>
  %i = arith.index_castui %e : i1 to index
  %y = memref.alloca() : memref<2xf32>
  memref.store %one, %y[%i] : memref<2xf32>
  %w = memref.load %y[%c1] : memref<2xf32>
  memref.store %w, %x[%i] : memref<?xf32>
  func.return
}
