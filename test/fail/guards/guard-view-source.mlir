// RUN: hologram-run %s
// EXIT: 1
// ERROR: 'memref.reinterpret_cast' is of a memref<2xf32, strided<\[1\], offset: 1>>, and only
// ERROR: hint: .*--unsafe-memory

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.subview %x[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  %w = memref.reinterpret_cast %v to offset: [0], sizes: [2], strides: [1] : memref<2xf32, strided<[1], offset: 1>> to memref<2xf32>
  %e = memref.load %w[%c0] : memref<2xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
