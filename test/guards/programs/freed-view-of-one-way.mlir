// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func private @f(%t: i1) -> memref<?xf32, strided<[1], offset: ?>> {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xf32>
  %s = memref.subview %m[%c2] [%c2] [1] : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
  %r = scf.if %t -> (memref<?xf32, strided<[1], offset: ?>>) {
    scf.yield %s : memref<?xf32, strided<[1], offset: ?>>
  } else {
    scf.yield %s : memref<?xf32, strided<[1], offset: ?>>
  }
  func.return %r : memref<?xf32, strided<[1], offset: ?>>
}
func.func @main(%x: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %t = arith.constant true
  %a = func.call @f(%t) : (i1) -> memref<?xf32, strided<[1], offset: ?>>
  memref.dealloc %a : memref<?xf32, strided<[1], offset: ?>>
  func.return
}
