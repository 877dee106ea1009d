// ARGS: [1,2,3]:f32
// WANT: trap 2 elements from 1 on are out of range

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %x[%c1] [%c2] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %t = memref.subview %s[%c1] [%c2] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  memref.store %one, %t[%c1] : memref<?xf32, strided<[1], offset: ?>>
  func.return
}
