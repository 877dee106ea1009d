// ARGS: [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    memref.store %one, %p[%c0] : memref<8xf32>
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  memref.dealloc %a : memref<8xf32>
  memref.store %one, %r#0[%c0] : memref<8xf32>
  func.return
}
