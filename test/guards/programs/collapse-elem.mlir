// ARGS: f32[3x1]=ones
// WANT: refused memref-rule

func.func @main(%x: memref<3x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.collapse_shape %x [[0, 1]] : memref<3x1xf32> into memref<3xf64>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1] : memref<3xf64>
  func.return
}
