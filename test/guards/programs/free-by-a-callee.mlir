// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func private @f(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  func.return
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<8xf32>
  %n = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  func.call @f(%n) : (memref<?xf32>) -> ()
  memref.store %one, %m[%c0] : memref<8xf32>
  func.return
}
