// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.reinterpret_cast %x to offset: [0], sizes: [3], strides: [1] : memref<?xf32> to memref<3xf64>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1] : memref<3xf64>
  func.return
}
