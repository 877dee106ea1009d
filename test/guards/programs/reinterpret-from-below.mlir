// ARGS: [1,2,3]:f32
// WANT: trap the view from element -10 on

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.reinterpret_cast %x to offset: [-10], sizes: [2], strides: [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: -10>>
  %e = arith.constant 7.0 : f32
  memref.store %e, %v[%c1] : memref<2xf32, strided<[1], offset: -10>>
  func.return
}
