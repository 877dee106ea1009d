// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %m = memref.alloc() : memref<8xf32>
  %s = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %s : memref<4xf32, strided<[1], offset: 4>>
  func.return
}
