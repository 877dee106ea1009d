// ARGS: [1,2,3]:f32
// WANT: refused memref-cast

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = "memref.cast"(%x) : (memref<?xf32>) -> memref<?xf64>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1] : memref<?xf64>
  func.return
}
