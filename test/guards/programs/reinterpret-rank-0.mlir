// ARGS: [1,2,3]:f32 1000000000
// WANT: trap is not within the 1 elements

func.func @main(%x: memref<?xf32>, %k: index) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<f32>
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [%k], strides: [1] : memref<f32> to memref<?xf32>
  memref.store %one, %s[%c3] : memref<?xf32>
  func.return
}
