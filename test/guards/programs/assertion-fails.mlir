// ARGS: false [1,2,3]:f32
// WANT: trap all is well

func.func @main(%b: i1, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.assert %b, "all is well"
  func.return
}
