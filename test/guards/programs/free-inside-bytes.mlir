// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<64xi8>
  %s = memref.view %m[%c1][] : memref<64xi8> to memref<4xi8>
  memref.dealloc %s : memref<4xi8>
  func.return
}
