// ARGS: 64 [1,2,3]:f32
// WANT: refused guard-cast

func.func @main(%i: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = builtin.unrealized_conversion_cast %i : index to memref<4xf32>
  %v = memref.load %m[%c0] : memref<4xf32>
  memref.store %v, %x[%c0] : memref<?xf32>
  func.return
}
