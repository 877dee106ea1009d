// ARGS: [1,2,3]:f32
// WANT: value [1.0, 2.0, 1.0]

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<8xf32>
  %a = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  %s = memref.subview %a[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
  memref.store %one, %s[%c0] : memref<4xf32, strided<[1]>>
  %e = memref.load %s[%c0] : memref<4xf32, strided<[1]>>
  memref.store %e, %x[%c2] : memref<?xf32>
  memref.dealloc %s : memref<4xf32, strided<[1]>>
  func.return
}
