// ARGS: [[1,2],[3,4]]:f32
// WANT: refused memref-rule

func.func @main(%y: memref<2x2xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = memref.subview %y[0, 0] [2, 1] [1, 1] : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1]>>
  %t = "memref.collapse_shape"(%s) <{reassociation = [[0 : i64, 1 : i64]]}> : (memref<2x1xf32, strided<[2, 1]>>) -> memref<2xf32>
  memref.store %one, %t[%c1] : memref<2xf32>
  func.return
}
