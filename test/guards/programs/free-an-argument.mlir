// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.dealloc %x : memref<?xf32>
  func.return
}
