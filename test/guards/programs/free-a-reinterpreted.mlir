// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %m = memref.alloc() : memref<8xf32>
  %s = memref.reinterpret_cast %m to offset: [2], sizes: [2], strides: [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.dealloc %s : memref<2xf32, strided<[1], offset: 2>>
  func.return
}
