// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = "memref.subview"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (memref<?xf32>) -> memref<2xf32, strided<[1], offset: 1000000000>>
  memref.store %one, %s[%c1] : memref<2xf32, strided<[1], offset: 1000000000>>
  func.return
}
