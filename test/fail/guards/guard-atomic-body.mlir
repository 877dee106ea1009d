// RUN: hologram-opt %s --disable-verify -p guard-memory
// EXIT: 1
// ERROR: 'memref.store' may trap, which what 'memref.generic_atomic_rmw' repeats must not
// ERROR: hint: compute it before

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %i: index) {
  %r = "memref.generic_atomic_rmw"(%x, %i) ({
  ^bb0(%v: f32):
    memref.store %v, %y[%i] : memref<?xf32>
    "memref.atomic_yield"(%v) : (f32) -> ()
  }) : (memref<?xf32>, index) -> f32
  func.return
}
