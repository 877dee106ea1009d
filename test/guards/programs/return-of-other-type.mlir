// ARGS: [1,2,3]:f32
// WANT: refused 

func.func private @f() -> memref<100xf32> {
  %m = memref.alloc() : memref<1xf32>
  func.return %m : memref<1xf32>
}
func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %m = func.call @f() : () -> memref<100xf32>
  %k = arith.constant 99 : index
  memref.store %one, %m[%k] : memref<100xf32>
  func.return
}
