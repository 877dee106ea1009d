// ARGS: [1,2,3]:f32 1000000000
// WANT: refused memref-rule

func.func @main(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %r = "memref.generic_atomic_rmw"(%x, %c0) ({
  ^bb0(%v: f32):
    memref.store %v, %m[%i] : memref<8xf32>
    "memref.atomic_yield"(%v) : (f32) -> ()
  }) : (memref<?xf32>, index) -> f32
  func.return
}
