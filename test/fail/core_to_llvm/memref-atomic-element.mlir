// RUN: hologram-run %s
// EXIT: 1
// ERROR: memref.atomic_rmw of kind 1 is not for elements of f32
// ERROR: hint: kinds are for floats or for integers

func.func @main(%x: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %r = "memref.atomic_rmw"(%v, %x, %c0) <{kind = 1 : i64}> : (f32, memref<?xf32>, index) -> f32
  func.return
}
