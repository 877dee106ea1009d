// RUN: hologram-opt %s -p schedule-atlas | filecheck %s
// RUN: hologram-opt %s -p schedule-atlas{target=gpu} | filecheck %s

// Integers wider than vectors' have one accumulator and one combination: devices unroll their limbs.
atlas.program @p(%x: memref<?xi512>, %y: memref<?xi512>, %n: i64) block [4, 1, 1] {
  %i = atlas.special gid : i64
  %s = atlas.reduce.mul.span u512 %x[%i : i64] : memref<?xi512>, %n
  atlas.stg u512 %s, %y[%i : i64] : memref<?xi512>
}
// CHECK: func.func private @hologram_reduce_mul_u512
// CHECK-NOT: memref<128xi512>
// CHECK: scf.for
// CHECK: atlas.mul
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK-NOT: atlas.mul
// CHECK: func.return
