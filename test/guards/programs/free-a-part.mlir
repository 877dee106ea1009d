// ARGS: [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  %v = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %m : memref<8xf32>
  %e = memref.load %v[%c0] : memref<4xf32, strided<[1], offset: 4>>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
