// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func private @f(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  %a = func.call @f(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.store %one, %m[%c0] : memref<4xf32>
  func.return
}
