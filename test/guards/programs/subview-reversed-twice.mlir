// ARGS: [1,2,3]:f32
// WANT: trap index 2 is out of range for size 2

func.func @main(%x: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %x[%c2] [%c3] [-1] : memref<?xf32> to memref<?xf32, strided<[-1], offset: ?>>
  %t = memref.subview %s[%c2] [%c3] [-1] : memref<?xf32, strided<[-1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %u = memref.subview %s[%c2] [%c2] [-1] : memref<?xf32, strided<[-1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  memref.store %one, %u[%c2] : memref<?xf32, strided<[1], offset: ?>>
  func.return
}
