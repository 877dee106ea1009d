// ARGS: 3 [1,2,3]:f32
// WANT: trap index 3

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%i] : memref<?xf32>
  func.return
}
