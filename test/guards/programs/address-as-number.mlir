// ARGS: [1,2,3]:f32
// WANT: refused guard-operation

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = "memref.extract_aligned_pointer_as_index"(%x) : (memref<?xf32>) -> index
  func.return
}
