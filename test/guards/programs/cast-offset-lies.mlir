// ARGS: [1,2,3]:f32
// WANT: value [1.0, 2.0, 1.0]

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %x[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  %t = "memref.cast"(%s) : (memref<2xf32, strided<[1], offset: 1>>) -> memref<2xf32, strided<[1], offset: ?>>
  %u = "memref.cast"(%t) : (memref<2xf32, strided<[1], offset: ?>>) -> memref<2xf32, strided<[1], offset: 1000000000>>
  memref.store %one, %u[%c1] : memref<2xf32, strided<[1], offset: 1000000000>>
  func.return
}
