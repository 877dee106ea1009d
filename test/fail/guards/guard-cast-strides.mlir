// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.cast' to memref<2xf32, strided<\[1\], offset: \?>> says strides that nothing proves
// ERROR: hint: .*memref.subview

func.func @main(%s: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %x[0] [2] [%s] : memref<?xf32> to memref<2xf32, strided<[?]>>
  %w = "memref.cast"(%v) : (memref<2xf32, strided<[?]>>) -> memref<2xf32, strided<[1], offset: ?>>
  %e = memref.load %w[%c1] : memref<2xf32, strided<[1], offset: ?>>
  memref.store %e, %x[%c1] : memref<?xf32>
  func.return
}
