// ARGS: true [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%b: i1, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  scf.if %b {
    memref.dealloc %m : memref<4xf32>
  }
  %e = memref.load %m[%c0] : memref<4xf32>
  memref.store %e, %x[%c0] : memref<?xf32>
  func.return
}
