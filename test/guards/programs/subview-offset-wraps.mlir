// ARGS: [1,2,3]:f32 9223372036854775807 9223372036854775807
// WANT: trap are out of range along axis 0

func.func @main(%x: memref<?xf32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %x[%i] [%j] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.store %one, %s[%c0] : memref<?xf32, strided<[1], offset: ?>>
  func.return
}
