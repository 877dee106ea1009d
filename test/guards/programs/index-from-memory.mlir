// ARGS: [0,-7,1]:i32 [1,2,3]:f32 [1,2,3]:f32
// WANT: trap index -7 is out of range for size 3

func.func @main(%k: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.load %k[%i] : memref<?xi32>
    %j = arith.index_cast %w : i32 to index
    %v = memref.load %x[%j] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  }
  func.return
}
