// ARGS: [1,2,3]:f32
// WANT: refused guard-stack-return

func.func private @f() -> memref<?xf32> {
  %a = memref.alloca() : memref<8xf32>
  %b = "memref.cast"(%a) : (memref<8xf32>) -> memref<?xf32>
  func.return %b : memref<?xf32>
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %r = func.call @f() : () -> memref<?xf32>
  memref.store %one, %r[%c0] : memref<?xf32>
  func.return
}
