// RUN: hologram-opt %s -p convert-to-llvm
// EXIT: 1
// ERROR: memref.reinterpret_cast counts from the start of the buffer
// ERROR: \[memref-reinterpret-offset\]

func.func private @f(%m: memref<4xf32, strided<[1], offset: ?>>) {
  %v = "memref.reinterpret_cast"(%m) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 2>,
      static_strides = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
      : (memref<4xf32, strided<[1], offset: ?>>) -> memref<2xf32, strided<[2]>>
  func.return
}
