// RUN: hologram-opt %s --disable-verify -p guard-memory
// EXIT: 1
// ERROR: 'memref.reinterpret_cast' is a view of a memref<\?xf32> as a memref<2xf64>, which has other elements
// ERROR: hint: .*memref.view of bytes

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %m = memref.reinterpret_cast %x to offset: [0], sizes: [2], strides: [1] : memref<?xf32> to memref<2xf64>
  %k = arith.constant 1.0 : f64
  memref.store %k, %m[%c1] : memref<2xf64>
  func.return
}
