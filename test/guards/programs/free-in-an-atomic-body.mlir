// ARGS: [1,2,3]:f32
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<8xf32>
  %r = "memref.generic_atomic_rmw"(%x, %c0) ({
  ^bb0(%v: f32):
    memref.dealloc %m : memref<8xf32>
    "memref.atomic_yield"(%v) : (f32) -> ()
  }) : (memref<?xf32>, index) -> f32
  memref.store %one, %m[%c0] : memref<8xf32>
  func.return
}
