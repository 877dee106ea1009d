// ARGS: [1,2,3]:f32 [1,2,3]:f32
// WANT: trap index -1 is out of range for size 3

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %v = memref.load %x[%l] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  }
  func.return
}
