// ARGS: [1,2,3]:f32
// WANT: refused guard-pointer-type

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<2xmemref<4xf32>>
  %b = memref.load %a[%c0] : memref<2xmemref<4xf32>>
  memref.store %one, %b[%c0] : memref<4xf32>
  func.return
}
