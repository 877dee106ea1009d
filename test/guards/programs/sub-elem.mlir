// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = "memref.subview"(%x) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<?xf32>) -> memref<3xf64, strided<[1]>>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1] : memref<3xf64, strided<[1]>>
  func.return
}
