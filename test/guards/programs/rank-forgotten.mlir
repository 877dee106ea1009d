// ARGS: [1,2,3]:f32
// WANT: refused guard-rank

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %u = "memref.cast"(%x) : (memref<?xf32>) -> memref<*xf32>
  %m = "memref.cast"(%u) : (memref<*xf32>) -> memref<?x?xf32>
  memref.store %one, %m[%c1, %c1] : memref<?x?xf32>
  func.return
}
