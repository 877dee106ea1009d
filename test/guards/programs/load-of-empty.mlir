// ARGS: f32[0]=zeros [0]:f32
// WANT: trap index 0 is out of range for size 0

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %y[%c0] : memref<?xf32>
  func.return
}
