// RUN: hologram-opt %s
// EXIT: 1
// ERROR: memref.generic_atomic_rmw works on one value of the memref's element type f32 \[memref-atomic-types\]

func.func @f(%m: memref<4xf32>, %i: index) {
  %r = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%x: i32):
    memref.atomic_yield %x : i32
  }) : (memref<4xf32>, index) -> f32
  func.return
}
