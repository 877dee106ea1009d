// ARGS: [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%x: memref<?xf32>) {
  %m = memref.alloc() : memref<8xf32>
  %a = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  %b = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  func.return
}
