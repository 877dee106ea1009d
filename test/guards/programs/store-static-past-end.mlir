// ARGS: [1,2,3,4]:f32
// WANT: trap index 4 is out of range for size 4

func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 4 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %x[%i] : memref<4xf32>
  func.return
}
