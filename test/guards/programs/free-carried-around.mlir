// ARGS: [1,2,3]:f32
// WANT: refused guard-

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %e = memref.load %p[%c0] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  func.return
}
