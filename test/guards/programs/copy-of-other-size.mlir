// ARGS: f32[5]=ones [1,2,3]:f32
// WANT: trap size 5 of the source is not size 3 of the target

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "memref.copy"(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}
