// ARGS: [1,2,3]:f32
// WANT: value [7.0, 2.0, 3.0]

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.assume_alignment %x, 4096 : memref<?xf32>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c0] : memref<?xf32>
  func.return
}
