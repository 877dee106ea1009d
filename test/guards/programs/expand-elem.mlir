// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.expand_shape %x [[0, 1]] output_shape [3, 1] : memref<?xf32> into memref<3x1xf64>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1, %c0] : memref<3x1xf64>
  func.return
}
