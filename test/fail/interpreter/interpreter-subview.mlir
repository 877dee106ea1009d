// RUN: hologram-run %s --device interpreter --arg 'f32[4]=zeros' --arg '3'
// EXIT: 1
// ERROR: the subview reaches from 3 to 4 along axis 0 of size 4
func.func @f(%a: memref<4xf32>, %o: index) {
  %b = memref.subview %a[%o] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  func.return
}
