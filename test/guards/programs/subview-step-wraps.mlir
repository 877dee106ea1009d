// ARGS: [1,2,3]:f32 4294967296
// WANT: trap are out of range along axis 0

func.func @main(%x: memref<?xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %x[0] [2] [%i] : memref<?xf32> to memref<2xf32, strided<[?]>>
  %t = memref.subview %s[0] [2] [%i] : memref<2xf32, strided<[?]>> to memref<2xf32, strided<[?]>>
  memref.store %one, %t[%c1] : memref<2xf32, strided<[?]>>
  func.return
}
