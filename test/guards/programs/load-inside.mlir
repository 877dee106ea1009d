// ARGS: 2 [1,2,3]:f32 [0]:f32
// WANT: value _ [3.0]

func.func @main(%i: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %y[%c0] : memref<?xf32>
  func.return
}
