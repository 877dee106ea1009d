// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :7:3: error: the result of 'memref.subview' has sizes \[2\], strides \[1\] and offset 3
// ERROR: memref-rule

func.func @f(%m: memref<8xf32>) {
  %v = memref.subview %m[3] [2] [1] : memref<8xf32> to memref<2xf32>
  func.return
}
