// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func private @f() -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  func.return %m, %m : memref<4xf32>, memref<4xf32>
}
func.func @main(%x: memref<?xf32>) {
  %a, %b = func.call @f() : () -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  func.return
}
